using System.Net;

namespace Gateway.Transport.Conversation;

/// <summary>Where admission decides, each stage before its cost arises. Called on the connection's thread; must not
/// block. A refusal is answered ERR Bad_TcpServerTooBusy with <c>RetryAfterMs</c> in the reason.</summary>
public interface IChannelGate
{
    /// <summary>Nothing has been read yet.</summary>
    GateDecision OnConnection(EndPoint? remote) => GateDecision.Admit;

    GateDecision OnHello(EndPoint? remote, string endpointUrl) => GateDecision.Admit;

    /// <summary>Before any asymmetric work of the OPN.</summary>
    /// <param name="opening">Whose and what kind.</param>
    GateDecision OnOpen(in ChannelOpening opening) => GateDecision.Admit;

    /// <summary>The connection is gone; once for each that <see cref="OnConnection"/> admitted.</summary>
    void OnConnectionClosed(EndPoint? remote)
    {
    }
}
