"use strict";
const chosen = { code: new Set(), harm: new Set() };
const search = document.getElementById("search");

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const file of document.querySelectorAll("section.file")) {
    const name = file.querySelector("h2").textContent.toLowerCase();
    let shown = 0;
    for (const finding of file.querySelectorAll("article")) {
      const text = name + " " + finding.textContent.toLowerCase();
      const kept =
        Object.entries(chosen).every(([key, values]) => !values.size || values.has(finding.dataset[key])) &&
        words.every((word) => text.includes(word));
      finding.hidden = !kept;
      shown += kept;
    }
    file.hidden = !shown;
    left += shown;
  }
  document.getElementById("empty").hidden = left > 0 || !document.querySelector("article");
}

for (const button of document.querySelectorAll("nav button")) {
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const values = chosen[button.dataset.key];
    const on = !values.delete(button.dataset.value);
    if (on) values.add(button.dataset.value);
    button.setAttribute("aria-pressed", String(on));
    show();
  });
}
search.addEventListener("input", show);
