// Types of the small build of hls.js: those of the full build.
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
