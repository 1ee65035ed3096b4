using Gateway.Client.Requests;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client.Sessions;

/// <summary>The Read that keeps a silent session alive and finds a dead peer. One a session, reused.</summary>
internal sealed class IdleProbe(ClientSession session) : PendingRequest
{
    private readonly ReadRequest _serverState = new()
    {
        TimestampsToReturn = TimestampsToReturn.Neither,
        NodesToRead =
        [
            new ReadValueId
            {
                NodeId = new NodeId(StandardIds.Variables.Server_ServerStatus_State),
                AttributeId = (uint)AttributeId.Value,
            },
        ],
    };

    private int _underWay;

    public void Send()
    {
        if (Interlocked.Exchange(ref _underWay, 1) != 0)
            return;
        var connection = session.Connection;
        RequestId = connection.NextRequestId();
        connection.Start(this, _serverState, connection.Options.RequestTimeout);
    }

    public override void Complete(ReadOnlySpan<byte> message)
    {
        Volatile.Write(ref _underWay, 0);
        var status = ResponseReader.Read<ReadResponse>(
            message, session.Connection.Options.DecodingLimits, out _, out _);
        if (status.CodeBits is StatusCodes.BadSessionIdInvalid or StatusCodes.BadSessionClosed
            or StatusCodes.BadSecureChannelIdInvalid)
            session.Connection.Abort(status, "the server no longer knows the session");
    }

    public override void Fail(StatusCode status, string detail)
    {
        Volatile.Write(ref _underWay, 0);
        if (status == StatusCodes.BadTimeout)
            session.Connection.Abort(StatusCodes.BadConnectionClosed, "the server does not answer");
    }
}
