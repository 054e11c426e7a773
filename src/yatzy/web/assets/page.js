// What the page needs of the browser: clicks and keys on their way to the server, focus that stays, messages, cookies.
(() => {
  const typing = (element) =>
    element && (element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName));
  const OPEN = ".q-dialog__inner:not([class*=leave-active]), .q-menu:not([class*=leave-active])";
  const inDialog = () => document.querySelector(OPEN) !== null;
  const send = (...words) => window.did_handshake && emitEvent("yatzy", ...words);

  // A menu is opened and closed by its button. A choice, a click elsewhere or Escape closes it.
  const closeMenus = (but) => {
    for (const one of document.querySelectorAll("[data-menu][aria-expanded=true]"))
      if (one !== but) one.setAttribute("aria-expanded", "false");
  };

  document.addEventListener("click", (event) => {
    const menu = event.target.closest("[data-menu]");
    closeMenus(menu);
    if (menu) return menu.setAttribute("aria-expanded", menu.ariaExpanded === "true" ? "false" : "true");
    const target = event.target.closest("[data-do], [data-dark]");
    if (!target || target.disabled) return;
    if ("dark" in target.dataset) return send("dark", isDark() ? "light" : "dark");
    send(target.dataset.do, target.dataset.arg ?? "");
  });

  // Pasted texts and files are sent as text: [field, text, problem].
  const sendText = (field, text, problem) => window.did_handshake && emitEvent("yatzy-file", field, text, problem);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-send]");
    if (!button) return;
    const fields = document.querySelectorAll(`textarea[data-paste="${button.dataset.send}"]`);
    sendText(button.dataset.send, [...fields].at(-1).value, "");
  });

  document.addEventListener("change", async (event) => {
    const field = event.target;
    if (!field.matches?.("input[type=file][data-file]") || !field.files.length) return;
    const file = field.files[0];
    let text = "", problem = "";
    if (file.size > Number(field.dataset.most)) problem = "too-large";
    else {
      try {
        text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      } catch {
        problem = "not-text";
      }
    }
    field.value = ""; // so that the same file can be chosen again
    sendText(field.dataset.file, text, problem);
  });

  const isDark = () => document.body.classList.contains("body--dark");

  const KEYS = {
    r: "roll", u: "undo", U: "redo", y: "redo", n: "new", o: "games", e: "typed", h: "hints", t: "tutor", w: "why",
    b: "best", l: "language", "?": "help", Backspace: "unface",
  };

  const ENTRY = "tbody button:not([disabled]):not([role=checkbox]):not([data-do=rule])";
  // Arrows walk through a list of moves or categories; its buttons have the real focus, so Enter plays.
  function walk(step) {
    const list = document.activeElement?.closest("[data-list]") ?? document.querySelector('[data-list="moves"]');
    if (!list) return false;
    const all = [...list.querySelectorAll(ENTRY)];
    if (!all.length) return false;
    const now = all.indexOf(document.activeElement);
    const next = now < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(now + step, 0), all.length - 1);
    all[next].focus();
    all[next].scrollIntoView({ block: "nearest" });
    return true;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const focus = document.activeElement;
    if (event.key === "Escape") closeMenus();
    if (typing(focus)) return;
    if (event.key === "?" || !inDialog()) handle(event, focus);
  });

  function handle(event, focus) {
    const key = event.key;
    const pressable = focus?.closest("button, a, [role=checkbox], [role=tab], summary, [tabindex]:not(main):not([data-list])");
    if (key === "Enter" || key === " ") {
      if (pressable && focus !== document.body) return; // the browser clicks it
      event.preventDefault();
      if (!event.repeat) send("roll");
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      if (walk(key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    } else if (key === "ArrowLeft" || key === "ArrowRight") {
      send(key === "ArrowLeft" ? "left" : "right");
    } else if (/^[0-9]$/.test(key)) {
      if (!event.repeat) send("digit", key);
    } else if (key === "c" || key === "m") {
      const list = document.querySelector(`[data-list="${key === "c" ? "sheet" : "moves"}"]`);
      list?.querySelector(ENTRY)?.focus();
    } else if (key === "x" && focus?.closest("tr[data-move]")) {
      if (!event.repeat) send("compare", focus.closest("tr[data-move]").dataset.move);
    } else if (key === "d") {
      send("dark", isDark() ? "light" : "dark");
    } else if (key in KEYS && !event.repeat) {
      if (key === "?") event.preventDefault();
      send(KEYS[key]);
    } else if (/^[a-z]$/i.test(key) && !event.repeat) {
      send("key", key);
    }
  }

  // Parts of the page are replaced as a whole: give the focus back to whatever had it.
  let last = null;
  document.addEventListener("focusin", (event) => (last = event.target.dataset?.key ?? null));
  let dialogOpen = false;
  new MutationObserver(() => {
    document.getElementById("q-loading-bar")?.setAttribute("aria-hidden", "true"); // Quasar's has no name
    if (inDialog() !== dialogOpen) {
      dialogOpen = !dialogOpen;
      if (dialogOpen && said.text) window.yatzyTell("", false); // a message must not cover a dialog opened after it
    }
    if (last && document.activeElement === document.body) {
      const again = document.querySelector(`[data-key="${CSS.escape(last)}"]`);
      if (again && !again.disabled) again.focus({ preventScroll: true });
      else if (!again && !inDialog()) document.querySelector('[data-key="roll"]')?.focus({ preventScroll: true });
    }
  }).observe(document.documentElement, { childList: true, subtree: true });
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("[data-key]")) last = null;
  });

  const said = { text: "", bad: false, timer: 0 };
  const showSaid = (line) => {
    line.textContent = said.text;
    line.classList.toggle("yz-bad", said.bad);
  };
  window.yatzyTell = (text, bad) => {
    clearTimeout(said.timer);
    Object.assign(said, { text, bad });
    said.timer = setTimeout(() => window.yatzyTell("", false), text ? 6000 : 1e9);
    const line = document.getElementById("yz-tell");
    if (line) showSaid(line);
  };
  window.yatzyRemember = (name, value) => {
    document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; SameSite=Lax`;
  };
  window.yatzyReveal = (selector) =>
    setTimeout(() => document.querySelector(selector)?.scrollIntoView({ block: "nearest" }), 60);
  const remembered = (name) => {
    const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
    return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
  };
  let shownGame = null;
  window.addEventListener("focus", () => (shownGame = null)); // another tab may have shown another game meanwhile
  const showAddress = (address, game) => {
    if (location.pathname === "/") history.replaceState(history.state, "", address);
    if (game === shownGame) return; // cookies are slow
    shownGame = game;
    window.yatzyRemember("yatzy-game", game);
    const others = remembered("yatzy-tables").split(" ").filter((one) => one && one !== game);
    window.yatzyRemember("yatzy-tables", [game, ...others].slice(0, 8).join(" "));
  };
  // What follows from the regions of the page, once all that were sent together have changed.
  let settling = false, address = null;
  const settle = () => {
    settling = false;
    const place = document.querySelector("[data-address]")?.dataset;
    if (place && place.address !== address) showAddress((address = place.address), place.game);
    const tray = document.querySelector("[data-chosen]");
    for (const row of document.querySelectorAll("[data-list=moves] tr[data-move]"))
      row.classList.toggle("yz-chosen", row.dataset.move === tray?.dataset.chosen);
  };
  window.yatzySettle = () => {
    if (!settling) queueMicrotask(settle);
    settling = true;
  };
  // The clipboard of a browser is closed to pages without encryption; there, copying a selection still works.
  const copySelected = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.cssText = "position: fixed; opacity: 0";
    (document.querySelector(OPEN) ?? document.body).appendChild(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copySelected(text);
    }
  };
  window.yatzyCopy = async (text, good, bad) => {
    const done = await copy(text);
    window.yatzyTell(done ? good : bad, !done);
  };
  // Scroll to something that is about to appear, and give it the focus.
  window.yatzyShow = (id, tries = 40) => {
    const found = document.getElementById(id);
    if (!found?.offsetParent) return tries && setTimeout(() => window.yatzyShow(id, tries - 1), 50);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    (found.parentElement ?? found).scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
    found.focus({ preventScroll: true });
  };
  window.yatzyShare = async (text, path, copied) => {
    const url = new URL(path, location.href).href;
    try {
      if (!navigator.share) throw new Error("no share");
      await navigator.share({ text, url });
    } catch (error) {
      if (error.name === "AbortError") return;
      if (await copy(`${text} ${url}`)) window.yatzyTell(copied, false);
    }
  };
})();
