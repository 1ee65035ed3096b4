using Gateway.Client.Requests;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Profiles;
using Gateway.Transport.Timing;

namespace Gateway.Client.Tests;

/// <summary>A connection whose server is the test: requests are decoded, answers are encoded and delivered at once, on
/// the test's thread.</summary>
internal sealed class FakeServer : IDisposable
{
    private readonly WheelTimer _wheel;
    private readonly SecureChannel _channel;

    /// <param name="options">Null: with fake time.</param>
    /// <param name="lost">The session goes on with what this one left.</param>
    public FakeServer(ClientOptions? options = null, ClientSession? lost = null)
    {
        Options = options ?? new ClientOptions
        {
            TimeProvider = Time,
            InlineContinuations = true,
            OnFault = Faults.Add,
        };
        _wheel = UaClient.NewWheel(Options);
        Connection = new ClientConnection(Options, _wheel);
        _channel = new SecureChannel(Link) { Profile = TransportProfiles.UaTcp };
        Connection.Attach(_channel);
        Session = lost is not null
            ? new ClientSession(Connection, lost)
            : new ClientSession(
                Connection, new EndpointDescription(), new CreateSessionResponse(), allowInsecureCredentials: false);
    }

    public ManualTimeProvider Time { get; } = new();

    public List<Exception> Faults { get; } = [];

    public ClientOptions Options { get; }

    public RecordingLink Link { get; } = new();

    public ClientConnection Connection { get; }

    public ClientSession Session { get; }

    public void Dispose() => _wheel.Dispose();

    /// <summary>The request sent as number <paramref name="index"/>; from the end where negative.</summary>
    public T Request<T>(int index)
        where T : IStructure<T>
    {
        var (_, message) = Link.Sent[index < 0 ? Link.Sent.Count + index : index];
        var reader = new UaBinaryReader(message);
        var typeId = reader.ReadNodeId();
        var request = T.Decode(ref reader);
        Assert.Equal(StatusCode.Good, reader.Status);
        Assert.Equal(request.BinaryEncodingId, typeId.Numeric);
        Assert.Equal(0, reader.Remaining);
        return request;
    }

    public uint TypeOf(int index)
    {
        var reader = new UaBinaryReader(Link.Sent[index].Message);
        return reader.ReadNodeId().Numeric;
    }

    public void Answer<T>(int index, T response)
        where T : IStructure =>
        Deliver(Link.Sent[index < 0 ? Link.Sent.Count + index : index].RequestId, response);

    public void Fault(int index, StatusCode status) =>
        Answer(index, new ServiceFault { ResponseHeader = new ResponseHeader { ServiceResult = status } });

    public void DeliverBytes(uint requestId, byte[] message) => Connection.OnMessage(_channel, requestId, message);

    public void Disconnect(StatusCode reason) => Connection.OnClosed(_channel, reason);

    public static byte[] Encode<T>(T response)
        where T : IStructure
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteNodeId(new NodeId(response.BinaryEncodingId));
        response.Encode(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    private void Deliver<T>(uint requestId, T response)
        where T : IStructure => DeliverBytes(requestId, Encode(response));
}
