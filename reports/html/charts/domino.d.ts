// The package's own declaration names another module.
declare module "@mixmark-io/domino" {
  const domino: { createDocument(): unknown };
  export default domino;
}
