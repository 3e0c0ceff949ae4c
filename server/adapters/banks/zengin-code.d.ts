// Types of the package `zengin-code`, which has none.
declare module 'zengin-code' {
  interface Entry {
    readonly code: string
    readonly name: string
    readonly kana: string
  }
  interface Bank extends Entry {
    readonly branches: Readonly<Record<string, Entry>>
  }
  const banks: Readonly<Record<string, Bank>>
  export default banks
}
