// In the frame that holds a report: what was open stays open, and the page around it learns how high the report is.
if (data.points.length === 1) [$("comparison"), $("errors"), $("models")].forEach(section => section?.remove());  // they stand above the report
const say_to_page = () => parent.postMessage({height: Math.ceil(document.documentElement.getBoundingClientRect().height), folds: [...open_folds]}, "*");
say_to_page();  // at once: Safari observes nothing in a frame that does not show yet
new ResizeObserver(say_to_page).observe(document.body);
document.addEventListener("toggle", say_to_page, true);
