using System.Buffers.Binary;
using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Interop.BadInput;

/// <summary>
/// Messages of a client on a channel without security, written by hand so that each byte can be wrong.
/// Frame: type (3), 'F' 'C' 'A', size (4), then the body. Source: Part 6 §6.7.2, §7.1.2.
/// </summary>
internal static class Uacp
{
    private const string NonePolicy = "http://opcfoundation.org/UA/SecurityPolicy#None";
    private const int HeaderBytes = 8;
    private const ushort OpenSecureChannelRequestId = 446;

    public static byte[] Hello(string endpointUrl, uint receiveBufferSize = 65536)
    {
        using MemoryStream body = new();
        Write(body, 0u, receiveBufferSize, 65536u, 0u, 0u);
        Write(body, endpointUrl);
        return Frame("HELF", body.ToArray());
    }

    /// <summary>A server's, for a client that is listened to.</summary>
    public static byte[] Acknowledge()
    {
        using MemoryStream body = new();
        Write(body, 0u, 65536u, 65536u, 0u, 0u);
        return Frame("ACKF", body.ToArray());
    }

    public static byte[] Open(string policy = NonePolicy, uint channelId = 0, uint sequenceNumber = 1)
    {
        using MemoryStream body = new();
        Write(body, channelId);
        Write(body, policy);
        Write(body, uint.MaxValue, uint.MaxValue);
        Write(body, sequenceNumber, 1u);
        body.Write([1, 0, .. Little(OpenSecureChannelRequestId)]);
        WriteRequestHeader(body);
        Write(body, 0u, 0u, 1u, uint.MaxValue, 60_000u);
        return Frame("OPNF", body.ToArray());
    }

    /// <summary>OPN with good headers and noise for a request.</summary>
    public static byte[] OpenOfNoise()
    {
        byte[] open = Open();
        open.AsSpan(HeaderBytes + sizeof(uint) + sizeof(uint) + NonePolicy.Length + (4 * sizeof(uint))).Fill(0xA5);
        return open;
    }

    /// <summary>A MSG chunk whose payload starts with the service's TypeId, as given.</summary>
    public static byte[] Message(
        uint channelId, uint tokenId, uint sequenceNumber, byte[] payload, string type = "MSGF", uint? requestId = null)
    {
        using MemoryStream body = new();
        Write(body, channelId, tokenId, sequenceNumber, requestId ?? sequenceNumber);
        body.Write(payload);
        return Frame(type, body.ToArray());
    }

    /// <summary>GetEndpointsRequest with its header.</summary>
    public static byte[] GetEndpoints(string endpointUrl)
    {
        using MemoryStream body = new();
        body.Write([1, 0, .. Little(428)]);
        WriteRequestHeader(body);
        Write(body, endpointUrl);
        Write(body, uint.MaxValue, uint.MaxValue);
        return body.ToArray();
    }

    /// <summary>Any request as a MSG's payload: TypeId and structure.</summary>
    public static byte[] Request(IServiceRequest request, NodeId authenticationToken = default)
    {
        request.RequestHeader = new RequestHeader
        {
            AuthenticationToken = authenticationToken,
            RequestHandle = 1,
            TimeoutHint = 10_000,
        };
        return Encoded(request);
    }

    /// <summary>A structure with its TypeId before it.</summary>
    public static byte[] Encoded(IStructure structure)
    {
        using PooledBuffer buffer = new();
        UaBinaryWriter writer = new(buffer);
        writer.WriteNodeId(new NodeId(structure.BinaryEncodingId));
        structure.Encode(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    public static byte[] Frame(string type, byte[] body, uint? size = null)
    {
        byte[] frame = [.. Encoding.ASCII.GetBytes(type), 0, 0, 0, 0, .. body];
        BinaryPrimitives.WriteUInt32LittleEndian(frame.AsSpan(4), size ?? (uint)frame.Length);
        return frame;
    }

    private static void WriteRequestHeader(Stream body)
    {
        body.Write([0, 0]);
        body.Write(new byte[8]);
        Write(body, 1u, 0u, uint.MaxValue, 10_000u);
        body.Write([0, 0, 0]);
    }

    private static void Write(Stream body, params uint[] values)
    {
        Span<byte> bytes = stackalloc byte[4];
        foreach (uint value in values)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
            body.Write(bytes);
        }
    }

    private static void Write(Stream body, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        Write(body, (uint)bytes.Length);
        body.Write(bytes);
    }

    private static byte[] Little(ushort value) => [(byte)value, (byte)(value >> 8)];
}
