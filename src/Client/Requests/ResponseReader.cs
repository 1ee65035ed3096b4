using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client.Requests;

/// <summary>Response message: TypeId, ResponseHeader (timestamp 8, handle 4, ServiceResult 4, …), fields. A
/// ServiceFault and a bad ServiceResult come back as that StatusCode. Source: Part 4 §7.34, Part 6 §5.2.9.</summary>
internal static class ResponseReader
{
    public static StatusCode Read<TResponse>(
        ReadOnlySpan<byte> message, DecodingLimits limits, out TResponse? response, out string detail)
        where TResponse : IStructure<TResponse>
    {
        response = default;
        var reader = new UaBinaryReader(message, limits);
        var typeId = reader.ReadNodeId();
        var status = PeekServiceResult(reader);
        if (reader.Failed || status.IsBad)
        {
            detail = typeof(TResponse).Name;
            return reader.Failed ? reader.Status : status;
        }

        response = TResponse.Decode(ref reader);
        detail = typeof(TResponse).Name;
        if (reader.Failed)
            return reader.Status;
        return typeId.NamespaceIndex == 0 && typeId.Numeric == response.BinaryEncodingId
            ? status
            : StatusCodes.BadUnknownResponse;
    }

    /// <summary>The ServiceResult, by a copy of the reader that stands behind the TypeId.</summary>
    public static StatusCode PeekServiceResult(UaBinaryReader reader)
    {
        reader.Skip(sizeof(long) + sizeof(uint));
        var status = reader.ReadStatusCode();
        return reader.Failed ? reader.Status : status;
    }

    /// <summary>Steps over the ResponseHeader.</summary>
    public static void SkipHeader(ref UaBinaryReader reader)
    {
        reader.Skip(sizeof(long) + sizeof(uint) + sizeof(uint));
        reader.ReadDiagnosticInfo();
        var strings = reader.ReadArrayLength(sizeof(int));
        for (var i = 0; i < strings && !reader.Failed; i++)
            reader.ReadStringBytes();
        reader.ReadExtensionObject();
    }
}
