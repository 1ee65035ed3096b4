namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>Reads of a NetworkMessage with one DataSetMessage just what a check needs.</summary>
internal interface IMessageDecoder
{
    /// <summary>Hands header and fields over in their order. Errors: false, or JsonException, where it is none.
    /// </summary>
    bool TryRead(ReadOnlySpan<byte> message, PublishedCheck check);
}
