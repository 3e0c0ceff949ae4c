// Addresses that the server answers itself, not the app shell.

export const notShell = [
  /^\/api(\/|$)/,
  /^\/(robots\.txt|sitemap)/,
  /^\/upload-chunking-2(\/|$)/,
  /^\/ws(\/|$)/,
  /^\/dev\/mail(\/|$)/,
  // HEIC_SANDBOX_PATH.
  /^\/heic-sandbox\.html$/,
]
