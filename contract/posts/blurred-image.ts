// The default `blurred_image_file` of /post/add (specification section 7).

/** PNG of 32 by 24 pixels, a plain gradient, 223 bytes. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAYCAMAAACsjQ8GAAAARVBMVEXFwLXW0cjLxrvRzMLV0MfKxbrQy8HUz8bJxLnPysDX0snSzcPLxrzY08rGwbbMx73Z1MvSzcTHwrfNyL7TzsXIw7jOyb9kGTesAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAQElEQVQoz6XBxwGAIADAwIhgw4rI/qM6Qh7ccQsOwSYYBFEwC6rgEWTBKJgEq6AJXsEl2AVBkASL4BMUwSno9gN3Vh+htJO+IwAAAABJRU5ErkJggg=='

/** Media type and file name under which a client sends it. */
export const defaultBlurredType = 'image/png'
export const defaultBlurredName = 'blurred.png'

/**
 * The picture a client sends with posts of types 2 and 3 when it has no blurred copy of its own. A server that makes
 * blurred copies itself recognises these bytes and does not store them.
 */
export function defaultBlurredImage(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(PNG), (it) => it.charCodeAt(0))
}
