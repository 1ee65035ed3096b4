using System.Globalization;
using Gateway.Codec.Types;
using Gateway.Publish.Streams;
using Gateway.Rest.Nodes;

namespace Gateway.Rest.Events;

/// <summary>Watches the notifiers that a client names.</summary>
internal static class EventSources
{
    /// <summary>The Server object: all events.</summary>
    public const string Default = "i=2253";

    /// <summary>A burst of alarms waits here for a slow client.</summary>
    private const uint QueueSize = 500;

    private const int ItemBytes = 64;

    /// <summary>Memory of the names in a stream.</summary>
    public static long BytesOf(NamedNode[] sources)
    {
        var bytes = 0L;
        foreach (var source in sources)
            bytes += ItemBytes + source.OwnBytes + source.ExtraBytes;
        return bytes;
    }

    /// <summary>All of them or none: bad with the problem in words. With alarms a refresh begins.</summary>
    public static (StatusCode Status, string? Problem) Watch(ValueStream values, NamedNode[] sources, EventForm form)
    {
        var items = new StreamItem[sources.Length];
        for (var i = 0; i < items.Length; i++)
        {
            if (sources[i].Status.IsBad)
                return (sources[i].Status, PlaceOf(i));
            items[i] = new StreamItem
            {
                Node = sources[i].Id,
                Handle = (uint)i,
                Events = form.Filter,
                QueueSize = QueueSize,
            };
        }

        var whole = values.Add(items, out var results);
        if (whole.IsBad)
            return (whole, null);
        for (var i = 0; i < results.Length; i++)
        {
            var status = results[i].StatusCode;
            // A node without the attribute, or one that nobody can subscribe to.
            if (status.CodeBits is StatusCodes.BadNotSupported or StatusCodes.BadAttributeIdInvalid)
                return (
                    StatusCodes.BadInvalidArgument, PlaceOf(i) + ": expected a node that has events (EventNotifier)");
            if (status.IsBad)
                return (status, PlaceOf(i));
        }

        if (form.HasAlarms && values.RefreshConditions() is { IsBad: true } refused)
            return (refused, null);
        values.Hurry();
        return (StatusCode.Good, null);
    }

    private static string PlaceOf(int index) => string.Create(CultureInfo.InvariantCulture, $"source[{index}]");
}
