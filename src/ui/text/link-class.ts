// linkClass: classes of a link inside text, with an enlarged touch area.

export const linkClass =
  'relative underline underline-offset-4 before:absolute before:-inset-x-2 before:-inset-y-3 hover:text-soft'
