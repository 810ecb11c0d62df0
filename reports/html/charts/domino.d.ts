// The declaration in the package names another module.
declare module "@mixmark-io/domino" {
  const domino: { createDocument(): unknown };
  export default domino;
}
