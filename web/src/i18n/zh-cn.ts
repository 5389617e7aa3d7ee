import type { Messages } from "./messages.ts";

/** A zero-width space in a heading marks where a line may break: not within a word. */
export const zhCn: Messages = {
  tagline: "让 Kubernetes 集群\u200b始终如您所声明",
  intro: "您只需声明期望的结果。Drover 观测现状，把差异规划成一张步骤图并执行，全过程留有记录、随时可查。",

  serverTitle: "服务器",
  serverState: "状态",
  serverVersion: "版本",
  serverSeen: "最近响应",
  stateLoading: "正在询问服务器……",
  stateReady: "就绪",
  stateNotReady: "未就绪",
  stateUnreachable: "无法连接",
  seenNow: "刚刚",
  seenSeconds: (seconds) => `${seconds} 秒前`,
  seenMinutes: (minutes) => `${minutes} 分钟前`,
  seenNever: "尚无",
  retry: "再次询问",
  notReadyText: "服务器正在运行，但存储没有响应，暂时无法读写集群。",
  unreachableText: "服务器没有响应。请确认 `drover up` 仍在运行；本页会继续尝试。",
  causeTimeout: "5 秒内没有响应。",
  causeNetwork: "连接失败。",
  causeStatus: (status) => `返回的状态码为 ${status}。`,
  causeUnreadable: "返回的内容不是 Drover 的响应。",

  worksTitle: "工作方式",
  declareTitle: "声明",
  declareText: "写下想要的集群。看到答复之前，内容已经可靠落盘。",
  observeTitle: "观测",
  observeText: "Drover 查看实际情况。看不到的就是未知，绝不当作不存在。",
  planTitle: "规划",
  planText: "差异变成一张步骤图，执行之前即可查看。",
  runTitle: "执行",
  runText: "每一步都先检查、再执行、后验证。中途崩溃，从断点继续。",

  nowTitle: "当前版本",
  nowText:
    "目前是基础部分：集群规约及其校验、状态及其规则，以及基于 SQLite 或 PostgreSQL 的存储。它会记住所声明的内容，并已能处理模拟集群；真实集群将随后支持。",
  readTitle: "延伸阅读",
  readText: "在源码目录中，以及本服务器上：",
  readArchitecture: "术语、规则与分层",
  readOptions: "全部选项及默认值",
  readChangelog: "变更记录",
  readVersion: "本服务器的版本",
  readReady: "当前能否正常工作",

  language: "语言",
  theme: "主题",
  themeSystem: "跟随系统",
  themeLight: "浅色",
  themeDark: "深色",
};
