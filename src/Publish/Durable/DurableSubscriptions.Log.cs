using Microsoft.Extensions.Logging;

namespace Gateway.Publish.Durable;

public sealed partial class DurableSubscriptions
{
    [LoggerMessage(
        EventId = 2010, Level = LogLevel.Information,
        Message = "Durable subscription {Id} is back with {Items} items; the process before ended {How}")]
    private partial void LogRestored(uint id, int items, string how);

    [LoggerMessage(
        EventId = 2011, Level = LogLevel.Warning,
        Message = "Durable subscription {Id} is not restored: its lifetime is over")]
    private partial void LogExpired(uint id);

    [LoggerMessage(
        EventId = 2012, Level = LogLevel.Error,
        Message = "A durable subscription is lost: its file {Name} in {Path} has nothing whole in it. The file stays")]
    private partial void LogUnreadable(string name, string path);

    [LoggerMessage(
        EventId = 2013, Level = LogLevel.Error,
        Message = "Durable subscriptions cannot be saved in {Path}, tried again each interval: a restart would lose "
            + "what has come since. {Why}")]
    private partial void LogDiskFailed(string path, string why);

    [LoggerMessage(
        EventId = 2014, Level = LogLevel.Information, Message = "Durable subscriptions are saved in {Path} again")]
    private partial void LogDiskBack(string path);

    [LoggerMessage(
        EventId = 2015, Level = LogLevel.Error,
        Message = "Internal error while durable subscriptions were saved; the next save comes")]
    private partial void LogSaveFailed(Exception error);

    [LoggerMessage(
        EventId = 2016, Level = LogLevel.Warning,
        Message = "No subscription becomes durable, and none is restored, as long as {Path} cannot be used; it is "
            + "tried again. {Why}")]
    private partial void LogUnusable(string path, string why);

    [LoggerMessage(
        EventId = 2017, Level = LogLevel.Error,
        Message = "Durable subscription {Id} is back without {Items} of its items for events: there is no room for "
            + "their filters, or they cannot be read. Its client has to make them again")]
    private partial void LogItemsLost(uint id, int items);
}
