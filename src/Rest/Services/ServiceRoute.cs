using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server;

namespace Gateway.Rest.Services;

/// <summary>One service of the OpenAPI mapping: its path, and how its messages go from JSON to UA Binary and back.
/// Source: Part 6 §G.3.</summary>
/// <param name="path">Below <c>/opcua</c>.</param>
/// <param name="operations">The most operations of one request; null: it has none.</param>
internal abstract class ServiceRoute(string path, Func<ServerLimits, PublishLimits, int>? operations)
{
    public string Path => path;

    /// <summary>0: any number.</summary>
    public int MaxOperationsOf(ServerLimits server, PublishLimits publishing) =>
        operations?.Invoke(server, publishing) ?? 0;

    /// <summary>The type of the request; null: the service is unknown here.</summary>
    public abstract Type Request { get; }

    /// <summary>The type of the response.</summary>
    public abstract Type Response { get; }

    /// <summary>Of the request's DataType and of its Default Binary encoding.</summary>
    public abstract (uint DataType, uint Encoding) RequestIds { get; }

    /// <summary>Reads a request and writes it behind its TypeId. Returns its header, also after an error behind it.
    /// Errors: the reader's and the writer's status.</summary>
    public abstract RequestHeader Read(ref UaJsonReader reader, ref UaBinaryWriter writer);

    /// <summary>Writes a message as JSON, the response of this service or a ServiceFault. Null, and nothing is written:
    /// the message is neither, or what it holds is too much to be read.</summary>
    public abstract ResponseHeader? Write(
        ReadOnlySpan<byte> message, UaJsonWriter writer, ServiceForm form = ServiceForm.Bare);

    public static void WriteFault(
        ResponseHeader header, UaJsonWriter writer, ServiceForm form = ServiceForm.Bare) =>
        WriteAs(new ServiceFault { ResponseHeader = header }, writer, form);

    private static void WriteAs<T>(T response, UaJsonWriter writer, ServiceForm form)
        where T : IJsonStructure<T>, IServiceResponse
    {
        switch (form)
        {
            case ServiceForm.Message:
                writer.WriteExtensionObject(new ExtensionObject(response));
                break;
            case ServiceForm.Envelope:
                writer.StartObject();
                writer.Json.WritePropertyName("ServiceId"u8);
                writer.WriteNodeId(new NodeId(response.DataTypeId));
                writer.Json.WritePropertyName("Body"u8);
                writer.WriteStructure(response);
                writer.EndObject();
                break;
            default:
                writer.WriteStructure(response);
                break;
        }
    }

    /// <typeparam name="TRequest">The service's request.</typeparam>
    /// <typeparam name="TResponse">The service's response.</typeparam>
    internal sealed class Of<TRequest, TResponse>(
        string path, Func<ServerLimits, PublishLimits, int>? operations = null) : ServiceRoute(path, operations)
        where TRequest : IJsonStructure<TRequest>, IServiceRequest, new()
        where TResponse : IJsonStructure<TResponse>, IServiceResponse, new()
    {
        /// <summary>For our own responses: values of upstreams pass unchanged.</summary>
        private static readonly DecodingLimits Limits = DecodingLimits.PassThrough;

        private static readonly uint ResponseId = new TResponse().BinaryEncodingId;

        public override Type Request => typeof(TRequest);

        public override Type Response => typeof(TResponse);

        public override (uint DataType, uint Encoding) RequestIds { get; } =
            (new TRequest().DataTypeId, new TRequest().BinaryEncodingId);

        public override RequestHeader Read(ref UaJsonReader reader, ref UaBinaryWriter writer)
        {
            var request = reader.ReadStructure<TRequest>();
            reader.End();
            if (reader.Failed)
                return request is null ? default : request.RequestHeader;
            writer.WriteTypeId(request.BinaryEncodingId);
            request.Encode(ref writer);
            return request.RequestHeader;
        }

        public override ResponseHeader? Write(
            ReadOnlySpan<byte> message, UaJsonWriter writer, ServiceForm form = ServiceForm.Bare)
        {
            var reader = new UaBinaryReader(message, Limits);
            var type = reader.ReadNodeId();
            if (type == new NodeId(ResponseId))
                return Write<TResponse>(ref reader, writer, form);
            return type == new NodeId(ServiceFault.BinaryEncodingId)
                ? Write<ServiceFault>(ref reader, writer, form)
                : null;
        }

        private static ResponseHeader? Write<T>(ref UaBinaryReader reader, UaJsonWriter writer, ServiceForm form)
            where T : IJsonStructure<T>, IServiceResponse
        {
            var response = T.Decode(ref reader);
            if (reader.Failed)
                return null;
            WriteAs(response, writer, form);
            return response.ResponseHeader;
        }
    }
}
