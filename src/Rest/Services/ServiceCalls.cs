using System.Net;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Access;
using Gateway.Server;
using Gateway.Server.Messages;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Rest.Services;

/// <summary>A request as JSON becomes the message that UA-TCP would carry, and the answer of the services becomes JSON;
/// so every rule, limit and line of the audit is theirs. Thread-safe.</summary>
internal sealed class ServiceCalls(
    GatewayServer server, ServiceFormats formats, TurnLane lane, TransportContext transport)
{
    public DecodingLimits Decoding { get; } = new()
    {
        MaxArrayLength = server.Limits.MaxArrayLength,
        MaxStringLengthBytes = server.Limits.MaxStringLengthBytes,
        MaxByteStringLengthBytes = server.Limits.MaxByteStringLengthBytes,
        MaxDecodedBytes = server.Limits.MaxDecodedBytesPerRequest,
    };

    public JsonFormat FormatOf(JsonEncoding encoding) => formats.Of(encoding);

    /// <summary>For one request's message.</summary>
    public PooledBuffer NewMessage() => new(limitBytes: server.Limits.MaxRequestMessageSizeBytes, secret: true);

    /// <summary>A bare request. Errors: the reader's and the writer's.</summary>
    public StatusCode Read(
        ServiceRoute route, ReadOnlySpan<byte> text, PooledBuffer message, JsonFormat format,
        out RequestHeader header, out string? problem)
    {
        var reader = new UaJsonReader(text, format, Decoding);
        var writer = new UaBinaryWriter(message);
        header = route.Read(ref reader, ref writer);
        problem = reader.Problem;
        if (reader.Failed)
            return reader.Status;
        if (writer.Failed)
            return StatusCodes.BadRequestTooLarge;
        writer.Complete();
        return StatusCodes.Good;
    }

    /// <summary>The answer, with its caller from here on. Errors: OperationCanceledException: what was asked for ends.
    /// </summary>
    public async Task<ServiceExchange> CallAsync(
        HttpContext context, Caller caller, ServiceRoute route, RequestHeader header, PooledBuffer message,
        JsonEncoding encoding, ServiceForm form, CancellationToken cancellationToken)
    {
        var channel = server.Messages.Find(header.AuthenticationToken, caller, RemoteOf(context));
        using var answer = await channel.CallAsync(message.WrittenMemory, cancellationToken).ConfigureAwait(false);
        var exchange = Begin(context, encoding, form);
        try
        {
            exchange.Hold(answer.HeldBytes);
            await EncodeAsync(exchange, route, header.RequestHandle, answer, cancellationToken).ConfigureAwait(false);
            return exchange;
        }
        catch
        {
            exchange.Dispose();
            throw;
        }
    }

    public ServiceExchange Begin(HttpContext context, JsonEncoding encoding, ServiceForm form) =>
        new(context, formats.Of(encoding), transport.Budget, transport.Time, form);

    /// <summary>Large ones behind the other requests that are larger than a turn (R44).</summary>
    private async ValueTask EncodeAsync(
        ServiceExchange exchange, ServiceRoute route, uint handle, MessageAnswer answer,
        CancellationToken cancellationToken)
    {
        if (answer.Status.IsBad)
        {
            exchange.Fault(answer.Status, handle);
            return;
        }

        if (answer.Message.Length <= server.Limits.MaxImmediateResponseBytes)
        {
            exchange.Answer(route, handle, answer.Message);
            return;
        }

        await lane.EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            exchange.Answer(route, handle, answer.Message);
        }
        finally
        {
            lane.Leave();
        }
    }

    private static IPEndPoint? RemoteOf(HttpContext context) =>
        context.Connection.RemoteIpAddress is { } address
            ? new IPEndPoint(address, context.Connection.RemotePort)
            : null;
}
