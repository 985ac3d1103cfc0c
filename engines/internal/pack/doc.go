// Package pack turns an npm package into chunks of bytecode: it checks what npm
// installed, applies named patches, makes every ES module of the package's build a
// function, and gathers the licences of what is inside.
//
// Everything here fails loudly when the package is not as expected. It runs at
// build time only.
package pack
