using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Methods;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Conversion;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Calls;

/// <summary><c>POST /call</c>. An unknown method, a method that the caller may not call, and wrong inputs are problem
/// documents. The method's own result is its <c>status</c>. Thread-safe.</summary>
internal sealed class CallEndpoint(
    NodeList list, NodeNames names, MethodCaller caller, CallInputs arguments, EnumNames enumerations,
    OperationAudit audit, RestFormat format, RestRequests requests)
{
    private static readonly string[] Places = ["object", "method"];

    public IEnumerable<RestRoute> Routes =>
        [new("POST", "/call", PostAsync) { Operations = [CallApi.Post] }];

    private Task PostAsync(HttpContext context) =>
        requests.RunAsync(context, (request, body) => CallAsync(context, request, body));

    private async Task CallAsync(HttpContext context, RestRequest request, RequestBody text)
    {
        var memory = request.Memory;
        var body = CallBody.Read(text.WrittenMemory, memory.Meter, out var wrong, out var place);
        if (body is null)
        {
            await Problem.WriteAsync(context, wrong, place).ConfigureAwait(false);
            return;
        }

        var named = await list.ParseAsync(context, memory, [body.Object, body.Method], "", Places)
            .ConfigureAwait(false);
        if (named is null)
            return;
        await names.FollowAsync(request, named).ConfigureAwait(false);
        if (!request.Take(MethodCaller.UnitsToResolve + body.Inputs.Sum(static one => ValueConverter.UnitsOf(one))))
            await request.NextAsync().ConfigureAwait(false);
        var status = Prepare(request, named, body, out var target, out var inputs, out var problem);
        if (status.IsBad)
        {
            audit.Called(request.Caller, named[0].Id, named[1].Id, status, isAccepted: false);
            request.EndTurns();
            await Problem.WriteAsync(context, status, problem).ConfigureAwait(false);
            return;
        }

        var result = await CallAsync(request, named, target, inputs).ConfigureAwait(false);
        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        Write(answer.Writer, result);
        await answer.EndAsync().ConfigureAwait(false);
    }

    private async ValueTask<CallMethodResult> CallAsync(
        RestRequest request, NamedNode[] named, MethodTarget target, Variant[] inputs)
    {
        // If the source fails, the progress of the call is unknown.
        StatusCode status = StatusCodes.BadUnexpectedError;
        Variant[]? outputs = null;
        try
        {
            request.EndTurns();
            var results = await caller.CallAsync(
                request, [target], [inputs], [null], request.CancellationToken, hold: request.Memory.HoldAnswers())
                .ConfigureAwait(false);
            (status, outputs) = (results[0].StatusCode, results[0].OutputArguments);
            return results[0];
        }
        finally
        {
            audit.Called(request.Caller, named[0].Id, named[1].Id, status, isAccepted: true, inputs, outputs);
        }
    }

    private StatusCode Prepare(
        RestRequest request, NamedNode[] named, CallBody body, out MethodTarget target, out Variant[] inputs,
        out string? problem)
    {
        (target, inputs, problem) = (default, [], null);
        foreach (var node in named)
        {
            if (node.Status.IsBad)
                return node.Status;
        }

        var tables = new EnumTables(enumerations, request);
        var call = new CallMethodRequest { ObjectId = named[0].Id, MethodId = named[1].Id };
        var status = caller.Find(request, call, out target);
        if (!status.IsBad)
            status = arguments.Convert(
                body, target.InputArguments, request.Memory.Meter, tables, out inputs, out problem);
        if (status.IsBad || caller.Check(request, target, inputs, out inputs) is not { } refused)
            return status;
        var wrong = Array.FindIndex(refused.InputArgumentResults ?? [], static one => one.IsBad);
        problem = wrong < 0 ? null : arguments.Expected(body, target.InputArguments, wrong, tables, request.Caller);
        return refused.StatusCode;
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
