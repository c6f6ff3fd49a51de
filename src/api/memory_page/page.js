"use strict";
(() => {
  const field = document.getElementById("filter");
  const shown = document.getElementById("shown");
  const bullets = [...document.querySelectorAll("article")].map((node) => ({
    node,
    text: node.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll("details.group")];
  const wasOpen = groups.map((group) => group.open);
  field.closest("p").hidden = false;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { node, text } of bullets) {
      node.hidden = !words.every((word) => text.includes(word));
      if (!node.hidden) count += 1;
    }
    groups.forEach((group, at) => {
      const some = group.querySelector("article:not([hidden])") !== null;
      group.hidden = !some;
      group.open = words.length > 0 ? some : wasOpen[at];
    });
    shown.textContent = words.length > 0 ? `${count} of ${bullets.length}` : "";
  });
})();
