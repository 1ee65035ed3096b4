using System.Collections.Concurrent;
using Gateway.Client;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Loadtest.Attacks.Hoards;

/// <summary>One channel without security on which any number of sessions are made, as fast as the gateway answers.
/// Threads: any.</summary>
internal sealed class HoardChannel : IChannelHandler, IDisposable
{
    private readonly ConcurrentDictionary<uint, TaskCompletionSource<byte[]>> _pending = new();
    private SecureChannel? _channel;
    private int _lastRequest;

    /// <summary>Errors: ServiceException.</summary>
    public static async Task<HoardChannel> OpenAsync(UaClient client, string url, CancellationToken cancellation)
    {
        var result = new HoardChannel();
        var endpoint = new EndpointDescription
        {
            EndpointUrl = url,
            SecurityPolicyUri = SecurityPolicies.None.Uri,
            SecurityMode = MessageSecurityMode.None,
        };
        result._channel = await client.OpenChannelAsync(endpoint, url, result, cancellation);
        return result;
    }

    /// <summary>A ServiceFault gives its status and no response.</summary>
    /// <param name="token">Of the session; null before there is one.</param>
    /// <param name="request">Its header is filled in here.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    public async Task<(StatusCode Status, T? Response)> AskAsync<T>(
        NodeId token, IServiceRequest request, CancellationToken cancellation)
        where T : class, IServiceResponse, IStructure<T>
    {
        var id = (uint)Interlocked.Increment(ref _lastRequest);
        var answer = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        _pending[id] = answer;
        request.RequestHeader = new RequestHeader { AuthenticationToken = token, RequestHandle = id };
        Send(request, id);
        return Decode<T>(await answer.Task.WaitAsync(cancellation));
    }

    public void Dispose() => _channel?.Close();

    public void OnOpened(SecureChannel channel)
    {
    }

    public void OnMessage(SecureChannel channel, uint requestId, ReadOnlySpan<byte> message)
    {
        if (_pending.TryRemove(requestId, out var answer))
            answer.TrySetResult(message.ToArray());
    }

    public void OnClosed(SecureChannel channel, StatusCode reason)
    {
        foreach (var (_, answer) in _pending)
            answer.TrySetException(new ServiceException(StatusCodes.BadConnectionClosed, "the channel is gone"));
    }

    private void Send(IServiceRequest request, uint id)
    {
        using var buffer = new PooledBuffer(MessageLayout.Headroom);
        var writer = new UaBinaryWriter(buffer);
        writer.WriteNodeId(new NodeId(request.BinaryEncodingId));
        request.Encode(ref writer);
        writer.Complete();
        _channel!.Send(buffer, id);
        _channel.Flush();
    }

    private static (StatusCode Status, T? Response) Decode<T>(byte[] message)
        where T : class, IServiceResponse, IStructure<T>
    {
        var reader = new UaBinaryReader(message);
        var type = reader.ReadNodeId();
        if (type.Numeric == ServiceFault.BinaryEncodingId)
            return (ServiceFault.Decode(ref reader).ResponseHeader.ServiceResult, null);
        var response = T.Decode(ref reader);
        return (response.ResponseHeader.ServiceResult, response);
    }
}
