/** Filters the tables and copies command lines; the report reads well without it. */
export const script = `
for (const form of document.querySelectorAll("form[data-filters]")) {
  const rows = [...document.querySelectorAll("#" + form.dataset.filters + " tbody tr")];
  const status = form.querySelector("output");
  const apply = () => {
    const words = form.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = words.every((word) => text.includes(word)) &&
        ["verdict", "level", "group"].every((name) => !form[name] || !form[name].value || row.dataset[name] === form[name].value);
      row.hidden = !fits;
      if (fits) count += 1;
    }
    status.textContent = count + " of " + rows.length + " shown";
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    const text = button.parentElement.querySelector("pre").textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = "copied"; } catch { button.textContent = "select and copy by hand"; }
  });
}
`;
