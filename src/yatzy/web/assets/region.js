// A part of the page that the server sends as HTML. When it changes, only what differs is touched: focus and scroll
// positions stay, and little is laid out anew.
// An element with another `data-part` than the one in its place shows something else: it is replaced as a whole.
const sameKind = (old, now) =>
  old.nodeType === now.nodeType && old.nodeName === now.nodeName && old.dataset?.part === now.dataset?.part;

function patch(old, now) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== now.data) old.data = now.data;
    return;
  }
  const keepOpen = old.nodeName === "DETAILS"; // opened and closed by the reader
  for (const { name, value } of now.attributes)
    if (old.getAttribute(name) !== value && !(keepOpen && name === "open")) old.setAttribute(name, value);
  for (const { name } of [...old.attributes])
    if (!now.hasAttribute(name) && !(keepOpen && name === "open")) old.removeAttribute(name);
  patchChildren(old, now);
}

function patchChildren(old, now) {
  const wanted = [...now.childNodes];
  wanted.forEach((child, place) => {
    const there = old.childNodes[place];
    if (!there) old.appendChild(child);
    else if (sameKind(there, child)) patch(there, child);
    else old.replaceChild(child, there);
  });
  while (old.childNodes.length > wanted.length) old.lastChild.remove();
}

export default {
  template: "<div></div>",
  props: { html: String },
  mounted() {
    this.$el.innerHTML = this.html;
    window.yatzySettle?.();
  },
  watch: {
    html(html) {
      const now = document.createElement("template");
      now.innerHTML = html;
      patchChildren(this.$el, now.content);
      window.yatzySettle?.();
    },
  },
};
