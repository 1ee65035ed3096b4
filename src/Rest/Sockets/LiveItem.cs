using Gateway.Codec.Types;

namespace Gateway.Rest.Sockets;

/// <summary>One node that a WebSocket watches.</summary>
/// <param name="Node">Its id.</param>
/// <param name="Handle">Never used again in this WebSocket: a batch on its way may hold it still.</param>
/// <param name="ItemId">The engine's.</param>
/// <param name="Prefix"><c>{"node":"…",</c>.</param>
internal sealed record LiveItem(NodeId Node, uint Handle, uint ItemId, byte[] Prefix);
