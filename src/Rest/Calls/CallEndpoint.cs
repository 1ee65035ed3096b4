using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Methods;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Calls;

/// <summary><c>POST /call</c>. A method that there is not, or that the caller may not call, and inputs that do not fit
/// are problems; what the method itself says is its <c>status</c>. Thread-safe.</summary>
internal sealed class CallEndpoint(
    NodeList list, NodeNames names, MethodResolver resolver, MethodCaller caller, CallInputs arguments,
    OperationAudit audit, RestFormat format, RestRequests requests, BodyReader bodies)
{
    public IEnumerable<RestRoute> Routes => [new("POST", "/call", PostAsync)];

    private async Task PostAsync(HttpContext context)
    {
        if (await bodies.ReadAsync(context).ConfigureAwait(false) is not { } body)
            return;
        try
        {
            var call = CallBody.Read(body.WrittenMemory, out var status, out var problem);
            if (call is null)
                await Problem.WriteAsync(context, status, problem).ConfigureAwait(false);
            else if (await list.ParseAsync(context, [call.Object, call.Method], "object, method")
                .ConfigureAwait(false) is { } named)
                await requests.RunAsync(context, request => CallAsync(context, request, named, call))
                    .ConfigureAwait(false);
        }
        finally
        {
            bodies.Return(body);
        }
    }

    private async Task CallAsync(HttpContext context, RestRequest request, NamedNode[] named, CallBody body)
    {
        await names.FollowAsync(request, named).ConfigureAwait(false);
        var status = Prepare(request, named, body, out var call, out var problem);
        if (status.IsBad)
        {
            audit.Called(request.Caller, call.ObjectId, call.MethodId, status, isAccepted: false);
            await Problem.WriteAsync(context, status, problem).ConfigureAwait(false);
            return;
        }

        var result = await CallAsync(request, call).ConfigureAwait(false);
        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        Write(answer.Writer, result);
        await answer.EndAsync().ConfigureAwait(false);
    }

    private async ValueTask<CallMethodResult> CallAsync(RestRequest request, CallMethodRequest call)
    {
        var result = caller.Resolve(request, call, out var target, out var inputs);
        var isAccepted = result is null;
        try
        {
            if (isAccepted)
            {
                var results = await caller.CallAsync(request, [target], [inputs], [null], request.CancellationToken)
                    .ConfigureAwait(false);
                result = results[0];
            }

            return result!;
        }
        finally
        {
            // Without a result nobody knows how far it came.
            audit.Called(
                request.Caller, call.ObjectId, call.MethodId, result?.StatusCode ?? StatusCodes.BadTimeout, isAccepted);
        }
    }

    private StatusCode Prepare(
        RestRequest request, NamedNode[] named, CallBody body, out CallMethodRequest call, out string? problem)
    {
        (call, problem) = (new CallMethodRequest(), null);
        foreach (var node in named)
        {
            if (node.Status.IsBad)
                return node.Status;
        }

        call = new CallMethodRequest { ObjectId = named[0].Id, MethodId = named[1].Id };
        var status = resolver.Resolve(request.Caller, call, out var target, out var looked);
        request.Take(looked + MethodCaller.UnitsToResolve);
        if (status.IsBad)
            return status;
        status = arguments.Convert(body, target.InputArguments, out var inputs, out problem);
        call = new CallMethodRequest { ObjectId = named[0].Id, MethodId = named[1].Id, InputArguments = inputs };
        return status;
    }

    private static void Write(UaJsonWriter writer, CallMethodResult result)
    {
        writer.StartObject();
        StatusText.Write(writer, result.StatusCode);
        writer.Json.WriteStartArray("outputs"u8);
        foreach (var output in result.OutputArguments ?? [])
            writer.WriteBareVariant(output);
        writer.Json.WriteEndArray();
        writer.EndObject();
    }
}
