using System.Net;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Server;
using Gateway.Server.Messages;
using Microsoft.AspNetCore.Http;
using HttpStatus = Microsoft.AspNetCore.Http.StatusCodes;
using StatusCodes = Gateway.Codec.Types.StatusCodes;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Rest.Services;

/// <summary>A request as JSON becomes the message that UA-TCP would carry, and the services' response becomes JSON. So
/// every rule, limit and audit line of the services applies. Thread-safe.</summary>
internal sealed class ServiceCalls(
    GatewayServer server, PublishLimits publishing, RestFormat formats, TurnLane lane, TransportContext transport,
    RequestMemories memories)
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

    /// <summary>Before a request is decoded. A large one waits for the other requests that are larger than a turn
    /// (R44).</summary>
    public async ValueTask<DecodeTurn> BeginDecodeAsync(
        HttpContext context, int bytes, CancellationToken cancellationToken)
    {
        var isLarge = bytes > memories.MaxImmediateBytes;
        var account = isLarge ? RestCaller.Of(context).Account : "";
        var place = await lane.EnterAsync(isLarge, account, cancellationToken).ConfigureAwait(false);
        return new DecodeTurn(place, memories.Begin(context.Connection.RemoteIpAddress));
    }

    /// <summary>A bare request. Errors: the reader's and the writer's.</summary>
    public StatusCode Read(
        ServiceRoute route, ReadOnlySpan<byte> text, PooledBuffer message, JsonFormat format, in DecodeTurn turn,
        out RequestHeader header, out string? problem, bool takesTypeId = false)
    {
        var reader = new UaJsonReader(text, format, Decoding, turn.Meter)
        {
            TakesTypeId = takesTypeId,
            MaxOperations = route.MaxOperationsOf(server.Limits, publishing),
        };
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

    /// <summary>Writes the answer into the exchange. Errors: OperationCanceledException; then the awaited work ends.
    /// </summary>
    /// <param name="exchange">Holds the message, then the answer.</param>
    /// <param name="caller">The user.</param>
    /// <param name="route">The service.</param>
    /// <param name="token">The session's, or null.</param>
    /// <param name="handle">The RequestHandle.</param>
    /// <param name="message">Disposed once it was handed over.</param>
    /// <param name="cancellationToken">The client no longer waits.</param>
    public async Task CallAsync(
        ServiceExchange exchange, Caller caller, ServiceRoute route, NodeId token, uint handle, PooledBuffer message,
        CancellationToken cancellationToken)
    {
        var channel = server.Messages.Find(
            token, caller, RemoteOf(exchange.Context), UrlOf(exchange.Context.Request));
        using var end = CallerTime.EndOf(caller, transport.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(end.Token, cancellationToken);
        try
        {
            using var answer = await channel.CallAsync(message, exchange.HoldMessage, either.Token)
                .ConfigureAwait(false);
            exchange.HoldAnswer(answer.HeldBytes);
            await EncodeAsync(exchange, caller, route, handle, answer, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (
            end.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            // A Publish that waits longer than its caller's token lives, or his certificate is trusted.
            exchange.Fault(
                StatusCodes.BadIdentityTokenRejected, handle, CallerTime.SentenceOf(caller),
                HttpStatus.Status401Unauthorized);
        }
    }

    public ServiceExchange Begin(HttpContext context, JsonEncoding encoding, ServiceForm form = ServiceForm.Bare) =>
        new(context, formats.Of(encoding, byOpenApi: context.Features.Get<ServiceDialect>() is not null),
            transport.Budget, transport.Time, form);

    /// <summary>Large ones behind the other requests that are larger than a turn (R44).</summary>
    private async ValueTask EncodeAsync(
        ServiceExchange exchange, Caller caller, ServiceRoute route, uint handle, MessageAnswer answer,
        CancellationToken cancellationToken)
    {
        if (answer.Status.IsBad)
        {
            exchange.Fault(answer.Status, handle);
            return;
        }

        var isLarge = answer.Message.Length > server.Limits.MaxImmediateResponseBytes;
        var account = isLarge ? caller.Account : "";
        using var place = await lane.EnterAsync(isLarge, account, cancellationToken).ConfigureAwait(false);
        exchange.Answer(route, handle, answer.Message);
    }

    /// <summary>HTTP's word for the EndpointUrl of a HEL.</summary>
    private static string UrlOf(HttpRequest request) =>
        request.Host.HasValue ? $"{request.Scheme}://{request.Host.Value}" : "";

    private static IPEndPoint? RemoteOf(HttpContext context) =>
        context.Connection.RemoteIpAddress is { } address
            ? new IPEndPoint(address, context.Connection.RemotePort)
            : null;
}
