// Saves a text as a file on the device.

/** @param text UTF-8, with its BOM where a spreadsheet opens it */
export const saveCsv = (name: string, text: string): void => save(name, text, 'text/csv;charset=utf-8')

export const saveText = (name: string, text: string): void => save(name, text, 'text/plain;charset=utf-8')

function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Safari reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
