
"use strict";
(() => {
  const dialog = document.getElementById("node");

  /* An element with text in it: nothing is ever parsed as markup. */
  const made = (tag, text = "") => {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
  };

  const rowOf = (tag, texts) => {
    const row = document.createElement("tr");
    row.append(...texts.map((text) => made(tag, text)));
    return row;
  };

  /* The numbers of one node. */
  const show = (row, heads) => {
    document.getElementById("node-name").textContent = row.cells[0].textContent;
    const facts = made("table");
    const scores = made("table");
    const parts = (row.dataset.scores || "").trim().split(" ");
    scores.append(made("caption", "Points"), rowOf("th", ["Plugin", "Raw", "Normalized", "Weighted"]));
    heads.forEach((head, place) => {
      const text = row.cells[place].textContent;
      if ("plugin" in head.dataset && text) {
        scores.append(rowOf("td", [head.textContent, ...parts.shift().split("/"), text]));
      } else if (place && text) {
        facts.append(rowOf("td", [head.textContent, text]));
      }
    });
    dialog.querySelector("div").replaceChildren(facts, ...(row.dataset.scores ? [scores] : []));
    dialog.showModal();
  };

  /* A cell a node; one of them is in the tab order, and arrow keys move it. */
  const draw = (map, rows, heads) => {
    const cells = rows.map((row) => {
      const cell = document.createElement("button");
      cell.type = "button";
      cell.tabIndex = -1;
      cell.className = row.className;
      return cell;
    });
    /* Their names follow once the page is to be seen. */
    setTimeout(() => cells.forEach((cell, place) => {
      const [name, what, detail] = rows[place].cells;
      cell.title = [name, what, detail].map((each) => each.textContent).filter(Boolean).join(" · ");
    }));
    cells[0].tabIndex = 0;
    map.classList.toggle("few", cells.length <= 200);
    map.hidden = false;
    map.addEventListener("click", (event) => {
      const place = cells.indexOf(event.target);
      if (place >= 0) show(rows[place], heads);
    });
    map.addEventListener("keydown", (event) => {
      const columns = getComputedStyle(event.target.parentElement).gridTemplateColumns.split(" ").length;
      const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
      const all = [...map.querySelectorAll("button")];
      const next = all[all.indexOf(event.target) + steps[event.key]];
      if (!next) return;
      event.preventDefault();
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
    return cells;
  };

  /* The cells in one block, or in one for each zone or pool. */
  const arrange = (map, rows, cells, by) => {
    const blocks = new Map();
    rows.forEach((row, place) => {
      const name = by ? row.dataset[by] || `no ${by}` : "";
      if (!blocks.has(name)) blocks.set(name, []);
      blocks.get(name).push(cells[place]);
    });
    /* Blocks stand in the order of the table, which begins with what the pod is about. */
    map.replaceChildren(...[...blocks].map(([name, members]) => {
      const block = made("div");
      const grid = made("div");
      grid.className = "cells";
      grid.append(...members);
      block.append(...(by ? [made("h4", `${name} (${members.length})`)] : []), grid);
      return block;
    }));
  };

  const sortable = (heads, body, rows) => {
    const sort = (place) => {
      const head = heads[place];
      const isNumber = "number" in head.dataset;
      const isAscending = head.getAttribute("aria-sort") !== "ascending";
      const keys = new Map(rows.map((row) => [row, row.cells[place].textContent]));
      const compare = new Intl.Collator("en", { numeric: true }).compare;
      const sorted = [...rows].sort((one, other) => {
        const [a, b] = [keys.get(one), keys.get(other)];
        if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1); /* what has nothing there comes last */
        return (isNumber ? a - b : compare(a, b)) * (isAscending ? 1 : -1);
      });
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
      body.append(...sorted);
    };
    heads.forEach((head, place) => {
      const button = made("button", head.textContent);
      button.type = "button";
      button.addEventListener("click", () => sort(place));
      head.replaceChildren(button);
    });
  };

  const filterable = (tools, rows, cells) => {
    const [words, kinds, said] = ["input", "select", "output"].map((tag) => tools.querySelector(tag));
    let texts;
    const filter = () => {
      texts ||= rows.map((row) => row.textContent.toLowerCase());
      const wanted = words.value.trim().toLowerCase();
      let count = 0;
      rows.forEach((row, place) => {
        const kind = row.cells[1].textContent;
        const isShown = texts[place].includes(wanted) && (!kinds.value || kind === kinds.value);
        row.hidden = !isShown;
        cells[place].classList.toggle("faded", !isShown);
        count += isShown;
      });
      said.textContent = `${count} of ${rows.length} shown`;
    };
    words.addEventListener("input", filter);
    kinds.addEventListener("change", filter);
    tools.hidden = false;
  };

  document.querySelectorAll("article").forEach((article) => {
    const table = article.querySelector("table.nodes");
    if (!table) return;
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...table.tBodies[0].rows];
    const map = article.querySelector(".map");
    const cells = draw(map, rows, heads);
    const grouping = article.querySelector(".grouping");
    const by = grouping?.querySelector("select");
    by?.addEventListener("change", () => arrange(map, rows, cells, by.value));
    if (grouping) grouping.hidden = false;
    arrange(map, rows, cells, by?.value);
    sortable(heads, table.tBodies[0], rows);
    filterable(article.querySelector(".tools"), rows, cells);
  });

  document.querySelectorAll("table.sortable").forEach((table) => {
    sortable([...table.tHead.rows[0].cells], table.tBodies[0], [...table.tBodies[0].rows]);
  });

  document.querySelectorAll(".tools[data-finds]").forEach((tools) => {
    const [words, said] = ["input", "output"].map((tag) => tools.querySelector(tag));
    const found = [...tools.parentElement.querySelectorAll(tools.dataset.finds)];
    words.addEventListener("input", () => {
      const wanted = words.value.trim().toLowerCase();
      found.forEach((each) => { each.hidden = !each.textContent.toLowerCase().includes(wanted); });
      said.textContent = `${found.filter((each) => !each.hidden).length} of ${found.length} shown`;
    });
    tools.hidden = false;
  });

  const save = document.getElementById("save");
  save.addEventListener("click", async () => {
    const packed = Uint8Array.from(atob(document.getElementById("report").textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await new Response(stream).arrayBuffer()], { type: "application/json" }));
    link.download = "kexplain.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  save.hidden = false;
})();
