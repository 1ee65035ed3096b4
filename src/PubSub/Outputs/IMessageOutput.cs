namespace Gateway.PubSub.Outputs;

/// <summary>Takes the NetworkMessages of a connection's groups. It never blocks the group that sends.</summary>
public interface IMessageOutput
{
    /// <summary>False: the message is lost, and the output has counted it.</summary>
    /// <param name="writer">DataSetWriterId of its first DataSetMessage, for a report of what was lost.</param>
    /// <param name="topic">UTF-8; a datagram has none.</param>
    /// <param name="message">Copied.</param>
    bool TrySend(ushort writer, ReadOnlySpan<byte> topic, ReadOnlySpan<byte> message);

    /// <summary>The metadata of a writer has changed. A subscriber that comes later gets the last ones, too.</summary>
    /// <param name="announcement">Of the writer.</param>
    void Announce(Announcement announcement);
}
