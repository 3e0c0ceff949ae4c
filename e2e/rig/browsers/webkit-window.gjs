// A WebKitGTK window with a profile on disk, for WebKitWebDriver: a driven MiniBrowser stores no profile.
// gjs runs it as a module; PROFILE is the folder.
import GLib from 'gi://GLib'
import Gtk from 'gi://Gtk?version=3.0'
import WebKit2 from 'gi://WebKit2?version=4.1'

Gtk.init(null)
const profile = GLib.getenv('PROFILE')
const manager = new WebKit2.WebsiteDataManager({
  base_data_directory: `${profile}/data`,
  base_cache_directory: `${profile}/cache`,
})
const context = new WebKit2.WebContext({ website_data_manager: manager })
context.set_preferred_languages(['ja'])
// Without a file, cookies are lost when the process ends.
context.get_cookie_manager().set_persistent_storage(`${profile}/cookies`, WebKit2.CookiePersistentStorage.SQLITE)
context.set_automation_allowed(true)

function open() {
  const view = new WebKit2.WebView({ web_context: context, is_controlled_by_automation: true })
  const window = new Gtk.Window({ default_width: 390, default_height: 844 })
  window.add(view)
  window.show_all()
  return view
}

context.connect('automation-started', (_context, session) => {
  const info = new WebKit2.ApplicationInfo()
  info.set_name('todoke-stories')
  info.set_version(1, 0, 0)
  session.set_application_info(info)
  session.connect('create-web-view', open)
})

new GLib.MainLoop(null, false).run()
