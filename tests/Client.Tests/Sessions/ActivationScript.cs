using Gateway.Codec.Types;
using Gateway.Loadtest.Peers.Hostile;
using Gateway.Transport.Conversation;

namespace Gateway.Client.Tests.Sessions;

/// <summary>A server that answers the first activations otherwise, and all later ones as an honest one.</summary>
internal sealed class ActivationScript(params ActivationScript.Answer[] answers) : HostileScript
{
    private int _next;

    internal enum Answer
    {
        Refused,
        None,
        ConnectionLost,
    }

    public override StatusCode? Activate(SecureChannel channel)
    {
        var at = Interlocked.Increment(ref _next) - 1;
        if (at >= answers.Length)
            return StatusCode.Good;
        if (answers[at] == Answer.ConnectionLost)
            channel.Abort(StatusCodes.BadConnectionClosed, "");
        return answers[at] == Answer.Refused ? (StatusCode)StatusCodes.BadIdentityTokenRejected : null;
    }
}
