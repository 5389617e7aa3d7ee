import type { Messages } from "../messages.ts";
import { syllables } from "./syllables.ts";

type Shell = Pick<
  Messages,
  | "common"
  | "time"
  | "status"
  | "shell"
  | "palette"
  | "keys"
  | "live"
  | "preferences"
  | "copy"
  | "errors"
  | "transport"
  | "list"
  | "signIn"
>;

export const shell: Shell = {
  common: {
    loading: "加载中……",
    tryAgain: "重试",
    cancel: "取消",
    close: "关闭",
    save: "保存",
    copy: "复制",
    missing: "无",
    reason: "原因",
    reasonOptional: "原因（可选）",
    typeToConfirm: (word) => `请输入 ${word} 以确认`,
    withDetail: (text, detail) => `${text}（${detail}）`,
    needsRole: (role) => `需要角色：${role}。`,
  },
  time: {
    now: "刚刚",
    ago: (span) => `${span}前`,
    seconds: (count) => `${count} 秒`,
    minutes: (count) => `${count} 分钟`,
    hours: (count) => `${count} 小时`,
    days: (count) => `${count} 天`,
  },
  status: { progressOf: (what) => `进度：${what}` },
  shell: {
    skip: "跳到页面内容",
    menu: "菜单",
    main: "页面",
    navigation: "导航",
    home: "Drover：概览",
    manage: "管理",
    paletteKey: "Ctrl K",
    account: (name) => `账号：${name}`,
    signedIn: (name, role) => `${name}（${role}）`,
    signOut: "退出登录",
    notFound: "未找到",
    notFoundText: "此地址没有页面。",
    unreachable: "请确认 `drover up` 正在运行。本页会继续尝试。",
  },
  palette: {
    title: "前往",
    open: "搜索集群、任务、页面……",
    cluster: "集群",
    job: "任务",
    nothing: "没有结果。",
    found: (count) => `找到 ${count} 项`,
    action: "操作",
    recent: "最近",
    setting: (section) => `设置：${section}`,
    syllables,
  },
  keys: {
    title: "键盘",
    lettersOn: "单个字母作为命令",
    go: (page) => `前往${page}`,
    create: "新建集群",
    open: "打开该行",
    movable: {
      "?": "本帮助",
      c: "新建集群",
      "/": "筛选列表",
      j: "下一行",
      k: "上一行",
      x: "选择该行",
      d: "期望与实际",
      l: "任务或日志",
      e: "编辑集群",
      "[": "上一个失败步骤",
      "]": "下一个失败步骤",
    },
    keyFor: (command) => `按键：${command}`,
    moveText: "在框中按下另一个键即可更改该命令的按键。已被占用的键不会被接受。",
    reset: "恢复默认按键",
  },
  live: {
    connecting: "正在连接",
    live: "实时",
    waiting: "正在重连",
    "signed-out": "已退出登录",
    offline: "离线",
    stale: "数据较旧",
    snapshot: "快照",
    liveText: "所见即最新，变化会立即出现。",
    notLiveText: "所见可能已旧。内容会保留，待服务器恢复响应后补齐错过的变化。",
    snapshotText: (time) => `存储无法连接，这是 ${time} 时的内容。`,
    heard: "最近响应",
    tryNow: "立即重试",
    cannotWrite: "服务器恢复响应前无法修改。不会在之后悄悄发送。",
    offlineBanner: "当前离线。已读取的内容会保留，但无法修改。",
    awayBanner: "服务器没有响应。已读取的内容会保留，恢复之前无法修改。",
  },
  preferences: {
    title: "语言、主题、时间",
    language: "语言",
    theme: "主题",
    themes: { system: "跟随系统", light: "浅色", dark: "深色", contrast: "高对比度" },
    time: "时间",
    localTime: "本地时间",
    utc: "协调世界时（UTC）",
  },
  copy: {
    title: "复制为……",
    titleOf: (what) => `将 ${what} 复制为……`,
    cli: "命令（CLI）",
    api: "请求（curl）",
    yaml: "文档（YAML）",
    link: "链接",
    done: "已复制。",
  },
  errors: {
    unexpected: "本页出现错误",
    request: (id) => `请求 ${id}`,
    reload: "重新加载页面",
  },
  transport: {
    network: { title: "服务器没有响应", hint: "请检查网络以及 Drover 是否在运行，然后重试。" },
    timeout: { title: "服务器未及时响应", hint: "请重试；若持续如此，请查看服务器负载。" },
    unreadable: { title: "响应方不是 Drover", hint: "中间可能有代理，请检查地址。" },
  },
  list: {
    select: (name) => `选择 ${name}`,
    selectShown: "选择已显示的全部行",
    shown: (count) => `${count} 行`,
    of: (shown, total) => `${shown.toLocaleString("zh-CN")} / ${total.toLocaleString("zh-CN")}`,
    moved: (count) => `${count} 行有变动，应用`,
    noMatch: "没有匹配项",
    clear: "清除筛选",
    details: "详情",
  },
  signIn: {
    title: "登录",
    text: "请使用 Drover 启动时打印的链接，或输入用户名和密码。",
    name: "用户名",
    password: "密码",
    showPassword: "显示密码",
    submit: "登录",
    or: "或",
    openId: "使用组织账号登录",
    throttled: (seconds) => `尝试次数过多，请在 ${seconds} 秒后重试。`,
    again: "请重新登录",
    againText: "会话已结束。登录后即可继续，已输入的内容不会丢失。",
  },
};
