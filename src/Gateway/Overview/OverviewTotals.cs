namespace Gateway.Host.Overview;

/// <summary>The totals since the start that rates are made of.</summary>
/// <param name="Notifications">Sent.</param>
/// <param name="Messages">Of subscriptions and streams.</param>
/// <param name="Requests">Of UA Binary and HTTP.</param>
/// <param name="Rejections">By admission.</param>
/// <param name="Processor">Time of all threads.</param>
internal readonly record struct OverviewTotals(
    long Notifications, long Messages, long Requests, long Rejections, TimeSpan Processor);
