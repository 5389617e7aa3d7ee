import type { Messages } from "../messages.ts";
import { errorCodes } from "./error-codes.ts";
import { problems } from "./problems.ts";
import { reasons } from "./reasons.ts";

type Words = Pick<
  Messages,
  | "phases"
  | "modifiers"
  | "desiredStates"
  | "jobKinds"
  | "jobStates"
  | "stepStates"
  | "nodeStates"
  | "workerStates"
  | "batchStates"
  | "resultStates"
  | "objectStates"
  | "conditions"
  | "providers"
  | "providerTexts"
  | "roles"
  | "operations"
  | "changeClasses"
  | "reasons"
  | "errorCodes"
  | "problems"
  | "eventKinds"
>;

/** Kubernetes 的用语与其官方中文文档一致。 */
export const words: Words = {
  phases: {
    Pending: "等待中",
    Creating: "创建中",
    Connecting: "连接中",
    Updating: "更新中",
    Canceling: "取消中",
    Deleting: "删除中",
    Running: "运行中",
    Unreachable: "无法连接",
    Unavailable: "不可用",
    Hibernated: "已休眠",
    Unknown: "未知",
  },
  modifiers: { Drifted: "有偏差", Paused: "已暂停", Protected: "受保护", Stalled: "已停滞" },
  desiredStates: { present: "存在", absent: "不存在" },
  jobKinds: {
    create: "创建",
    update: "更新",
    upgrade: "升级",
    delete: "删除",
    repair: "修复",
    import: "导入",
    backup: "备份",
    restore: "恢复",
    renew: "更新证书或密钥",
    hibernate: "休眠",
    wake: "唤醒",
    cordon: "封锁节点",
    uncordon: "解除封锁节点",
    drain: "腾空节点",
    grant: "授予访问权限",
    revoke: "撤销访问权限",
  },
  jobStates: {
    Pending: "等待中",
    Processing: "执行中",
    Canceling: "取消中",
    Retrying: "等待重试",
    Succeeded: "成功",
    Failed: "失败",
    Canceled: "已取消",
  },
  stepStates: {
    Pending: "等待",
    Running: "执行中",
    Succeeded: "完成",
    Skipped: "无需执行",
    Failed: "失败",
    Blocked: "受阻",
    Canceled: "已取消",
  },
  nodeStates: { Ready: "就绪", NotReady: "未就绪", Cordoned: "已封锁", Drained: "已腾空", Unknown: "未知" },
  workerStates: { Working: "工作中", Idle: "空闲", Draining: "收尾中", Lost: "失联" },
  batchStates: { Running: "执行中", Paused: "已暂停", Succeeded: "成功", Failed: "失败", Canceled: "已停止" },
  resultStates: { Waiting: "等待", Running: "执行中", Succeeded: "成功", Failed: "失败", Skipped: "已跳过" },
  objectStates: { intended: "计划中", present: "存在", gone: "已消失" },
  conditions: {
    Available: "可用",
    Provisioned: "已建立",
    Reachable: "可连接",
    ControlPlaneReady: "控制平面就绪",
    NodesReady: "节点就绪",
    UpToDate: "与声明一致",
    GitBranchReady: "Git 分支就绪",
    ArgoRegistered: "已登记到 Argo CD",
    PortainerRegistered: "已登记到 Portainer",
    RouteReady: "路由就绪",
    Stalled: "已停滞",
    Drifted: "有偏差",
    Expiring: "即将到期",
    CertificatesExpire: "证书即将到期",
    BackedUp: "已备份",
    Deleting: "删除中",
  },
  providers: { kind: "kind", k3d: "k3d", ssh: "主机（SSH）", imported: "导入的集群", simulated: "模拟" },
  providerTexts: {
    kind: "节点是工作进程所在 Docker 主机上的容器。",
    k3d: "在工作进程所在 Docker 主机的容器中运行 k3s。",
    ssh: "Drover 通过 SSH 连接的主机。",
    imported: "已经存在的集群。",
    simulated: "并非真实集群：用于初次了解、演示和测试。",
  },
  roles: { admin: "管理员", operator: "操作员", viewer: "查看者" },
  operations: {
    reconcile: "调谐",
    upgrade: "升级",
    label: "设置标签",
    pause: "暂停",
    resume: "恢复",
    hibernate: "休眠",
    wake: "唤醒",
    delete: "删除",
  },
  changeClasses: {
    nothing: "没有变化",
    "in-place": "原地变更",
    rolling: "逐个节点滚动变更",
    recreate: "需要重建",
    forbidden: "无法变更",
  },
  reasons,
  errorCodes,
  problems,
  eventKinds: {
    "cluster.create": "已声明",
    "cluster.update": "已修改",
    "cluster.delete": "请求删除",
    "cluster.deleted": "已消失",
    "cluster.observed": "已观测",
    "cluster.release": "已释放",
    "job.request": "请求任务",
    "job.planned": "已规划",
    "job.started": "已开始",
    "job.finished": "已结束",
    "job.cancel": "请求取消",
    "job.postponed": "已推迟",
    "job.taken-over": "已接管",
    "step.changed": "步骤",
    "kubeconfig.create": "签发 kubeconfig",
    "kubeconfig.revoke": "吊销 kubeconfig",
  },
};
