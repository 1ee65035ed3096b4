using Gateway.Codec.Types;
using Gateway.Rest.Nodes;

namespace Gateway.Rest.Sockets;

/// <summary>One node that a WebSocket watches.</summary>
/// <param name="Node">Its id.</param>
/// <param name="Handle">Never used again in this WebSocket: a batch on its way may hold it still.</param>
/// <param name="ItemId">The engine's.</param>
/// <param name="Prefix"><c>{"node":"…",</c>.</param>
/// <param name="Bytes">As <see cref="BytesOf"/>.</param>
internal sealed record LiveItem(NodeId Node, uint Handle, uint ItemId, byte[] Prefix, long Bytes)
{
    /// <summary>Itself, the headers of its arrays, and its entries in two dictionaries that have doubled just now.
    /// </summary>
    private const int OwnBytes = 384;

    /// <summary>Memory of an item, estimated from above.</summary>
    public static long BytesOf(in NamedNode node, byte[] prefix) => OwnBytes + prefix.Length + node.ExtraBytes;
}
