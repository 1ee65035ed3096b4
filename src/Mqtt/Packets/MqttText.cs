using System.Text.Unicode;

namespace Gateway.Mqtt.Packets;

/// <summary>Rules for texts, topic names and topic filters, as UTF-8. Source: MQTT 5.0 §1.5.4, MQTT 5.0 §4.7.</summary>
internal static class MqttText
{
    public const int MaxLength = ushort.MaxValue;

    /// <summary>UTF-8 without U+0000 that fits into a length of two bytes.</summary>
    public static bool IsText(ReadOnlySpan<byte> text) =>
        text.Length <= MaxLength && !text.Contains((byte)0) && Utf8.IsValid(text);

    /// <summary>A topic to publish to: not empty, without wildcards.</summary>
    public static bool IsTopicName(ReadOnlySpan<byte> topic) =>
        topic.Length > 0 && topic.IndexOfAny((byte)'+', (byte)'#') < 0 && IsText(topic);

    /// <summary>Wildcards fill a whole level, and <c>#</c> is the last one. <c>$share</c> has a group without wildcards
    /// and a filter behind it. Source: MQTT 5.0 §4.8.2.</summary>
    public static bool IsTopicFilter(ReadOnlySpan<byte> filter)
    {
        if (filter.Length == 0 || !IsText(filter))
            return false;
        if (IsShared(filter))
        {
            var rest = filter[Share.Length..];
            var group = rest.IndexOf((byte)'/');
            return group > 0 && rest[..group].IndexOfAny((byte)'+', (byte)'#') < 0 && group + 1 < rest.Length
                && !IsShared(rest[(group + 1)..]) && IsTopicFilter(rest[(group + 1)..]);
        }

        for (var i = 0; i < filter.Length; i++)
        {
            if (filter[i] is not ((byte)'+' or (byte)'#'))
                continue;
            var isWhole = (i == 0 || filter[i - 1] == '/') && (i == filter.Length - 1 || filter[i + 1] == '/');
            if (!isWhole || (filter[i] == '#' && i != filter.Length - 1))
                return false;
        }

        return true;
    }

    /// <summary>Whether a filter takes a topic. <c>$share/group/</c> is left out of the comparison, and a wildcard in
    /// front takes no topic that begins with <c>$</c>. Both must be valid. Source: MQTT 5.0 §4.7.1, MQTT 5.0 §4.8.2.
    /// </summary>
    public static bool Matches(ReadOnlySpan<byte> filter, ReadOnlySpan<byte> topic)
    {
        filter = WithoutShare(filter);
        if (topic.Length > 0 && topic[0] == '$' && filter.Length > 0 && filter[0] is (byte)'+' or (byte)'#')
            return false;
        while (true)
        {
            var level = LevelOf(filter);
            if (level is [(byte)'#'])
                return true;
            var name = LevelOf(topic);
            if (level is not [(byte)'+'] && !level.SequenceEqual(name))
                return false;
            var (filterEnds, topicEnds) = (level.Length == filter.Length, name.Length == topic.Length);
            if (topicEnds)
                return filterEnds || filter[level.Length..].SequenceEqual("/#"u8);
            if (filterEnds)
                return false;
            filter = filter[(level.Length + 1)..];
            topic = topic[(name.Length + 1)..];
        }
    }

    public static bool IsShared(ReadOnlySpan<byte> filter) => filter.StartsWith(Share);

    /// <param name="filter">Valid.</param>
    public static bool HasWildcard(ReadOnlySpan<byte> filter) => filter.IndexOfAny((byte)'+', (byte)'#') >= 0;

    private static ReadOnlySpan<byte> Share => "$share/"u8;

    private static ReadOnlySpan<byte> LevelOf(ReadOnlySpan<byte> path)
    {
        var end = path.IndexOf((byte)'/');
        return end < 0 ? path : path[..end];
    }

    private static ReadOnlySpan<byte> WithoutShare(ReadOnlySpan<byte> filter)
    {
        if (!IsShared(filter))
            return filter;
        var rest = filter[Share.Length..];
        var group = rest.IndexOf((byte)'/');
        return group < 0 ? filter : rest[(group + 1)..];
    }
}
