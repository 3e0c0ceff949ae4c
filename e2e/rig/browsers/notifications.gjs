// A notification server (org.freedesktop.Notifications): prints what it receives, and presses or dismisses on command.
import Gio from 'gi://Gio'
import GLib from 'gi://GLib'

const loop = new GLib.MainLoop(null, false)
let last = 0
const send = (it) => print(JSON.stringify(it))

const interfaceXml = `<node><interface name="org.freedesktop.Notifications">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation">
    <arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/>
  </method>
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/><arg type="i" direction="in"/>
    <arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationReplied"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>`

const desktop = Gio.DBusExportedObject.wrapJSObject(interfaceXml, {
  GetCapabilities: () => ['actions', 'body', 'persistence', 'inline-reply'],
  GetServerInformation: () => ['stand-in', 'todoke', '1.0', '1.2'],
  Notify(_app, replaces, _icon, title, body, actions) {
    const id = replaces || ++last
    send({ is: 'shown', id, title, body, actions })
    return id
  },
  CloseNotification(id) {
    send({ is: 'closed', id })
    desktop.emit_signal('NotificationClosed', new GLib.Variant('(uu)', [id, 3]))
  },
})
desktop.export(Gio.DBus.session, '/org/freedesktop/Notifications')
Gio.bus_own_name_on_connection(
  Gio.DBus.session,
  'org.freedesktop.Notifications',
  Gio.BusNameOwnerFlags.NONE,
  () => send({ is: 'ready' }),
  null,
)

// Reads commands, one on each line: `press <id> <action>`, `reply <id> <text>`, or `dismiss <id>`.
const input = new Gio.DataInputStream({ base_stream: new Gio.UnixInputStream({ fd: 0, close_fd: false }) })
function listen() {
  input.read_line_async(0, null, (_, result) => {
    const [line] = input.read_line_finish_utf8(result)
    if (line === null) return loop.quit()
    const [verb, id, action] = line.split(' ')
    if (verb === 'reply')
      desktop.emit_signal('NotificationReplied', new GLib.Variant('(us)', [Number(id), line.split(' ').slice(2).join(' ')]))
    if (verb === 'press') desktop.emit_signal('ActionInvoked', new GLib.Variant('(us)', [Number(id), action]))
    desktop.emit_signal('NotificationClosed', new GLib.Variant('(uu)', [Number(id), 2]))
    listen()
  })
}
listen()
loop.run()
