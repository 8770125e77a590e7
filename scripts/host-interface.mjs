// The interface as a person uses it: the page of a real VS Code, its rows and buttons.
export async function interfaceTests(browser, work, report) {
  void browser;
  void work;
  void report;
}
