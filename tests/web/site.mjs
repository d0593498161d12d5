// site.mjs SITE CHROMIUM SCRATCH: the documents as a site, opened from disk: a word is searched and found, on a page in a folder of its own, and
// nothing is asked for from elsewhere.
import {join} from "node:path";
import {open_browser} from "./browser.mjs";

const [site, chromium, scratch] = process.argv.slice(2);
const browser = await open_browser(chromium, scratch);
try {
  await browser.go(join(site, "docs/tour.html"));
  await browser.until("document.readyState === 'complete'");
  // Typed again until there is an answer: nothing tells when the theme has read its index.
  await browser.until(`(() => {
    const query = document.querySelector("[data-md-component=search-query]");
    if (!document.querySelector(".md-search-result__item")) { query.focus(); query.value = "rendezvous"; query.dispatchEvent(new Event("keyup")); }
    return document.querySelector(".md-search-result__item") !== null;
  })()`, 60);
  const found = await browser.run("[...document.querySelectorAll('a.md-search-result__link')].map(link => link.href)");
  const elsewhere = browser.requests.filter(url => !/^(file|blob|data):/.test(url));
  const problems = [...browser.problems, ...elsewhere.map(url => `asks for ${url}`)];
  if (!found.some(url => url.includes("/docs/glossary.html"))) problems.push(`'rendezvous' is found at ${found.slice(0, 5)}, and not among the words`);
  for (const problem of problems) console.log(problem);
  console.log(`${found.length} pages found from disk, ${problems.length} problems`);
  process.exitCode = problems.length ? 1 : 0;
} finally {
  await browser.close();
}
