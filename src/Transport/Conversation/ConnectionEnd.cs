using Gateway.Codec.Types;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>Why a connection ends. The first one set is the one counted.</summary>
/// <param name="Status">Given to the handler; Good when in order.</param>
/// <param name="Reason">Counted.</param>
/// <param name="Detail">Logged.</param>
internal sealed record ConnectionEnd(StatusCode Status, ChannelCloseReason Reason, string Detail);
