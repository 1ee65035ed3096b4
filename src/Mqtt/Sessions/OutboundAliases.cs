namespace Gateway.Mqtt.Sessions;

/// <summary>Topic aliases that this client has set on one connection. The first topics keep theirs, further ones go in
/// full. Finding one allocates nothing. Threads: under the session's lock. Source: MQTT 5.0 §3.3.2.3.4.</summary>
internal sealed class OutboundAliases
{
    private readonly Dictionary<byte[], ushort> _aliases = new(TopicComparer.Instance);
    private readonly Dictionary<byte[], ushort>.AlternateLookup<ReadOnlySpan<byte>> _bySpan;
    private readonly int _maximum;

    public OutboundAliases(int maximum)
    {
        _maximum = maximum;
        _bySpan = _aliases.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    /// <summary>The alias of a topic that the broker knows; else 0.</summary>
    public ushort Find(ReadOnlySpan<byte> topic) => _bySpan.TryGetValue(topic, out var alias) ? alias : (ushort)0;

    /// <summary>The alias that a new topic would get; 0: none is left.</summary>
    public ushort Next() => _aliases.Count < _maximum ? (ushort)(_aliases.Count + 1) : (ushort)0;

    /// <summary>The broker has been sent the topic with this alias.</summary>
    public void Keep(ReadOnlySpan<byte> topic, ushort alias)
    {
        try
        {
            _aliases.Add(topic.ToArray(), alias);
        }
        catch (OutOfMemoryException)
        {
            // The next new topic takes the alias over, which MQTT allows.
        }
    }
}
