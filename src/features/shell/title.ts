// The window's title: the unread count and the page.
import { text } from '#src/domain/text/text.ts'

let page = ''
let count = 0

function show(): void {
  const marked = count === 0 ? '' : `(${count > 99 ? '99+' : count}) `
  document.title = `${marked}${page === '' ? '' : `${page} | `}${text.brand}`
}

export function setTitle(title: string): void {
  page = title
  show()
}

export function setTitleCount(unread: number): void {
  count = unread
  show()
}
