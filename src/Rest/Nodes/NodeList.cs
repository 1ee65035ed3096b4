using System.Globalization;
using System.Runtime.CompilerServices;
using Gateway.Codec.Types;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Nodes;

/// <summary>The node ids of one request; one error rejects all of them.</summary>
internal sealed class NodeList(NodeNames names, RestLimits limits)
{
    /// <summary>Null: a problem document was sent that names the wrong id.</summary>
    /// <param name="context">The request's context.</param>
    /// <param name="memory">Counts the nodes.</param>
    /// <param name="texts">The ids as received.</param>
    /// <param name="place">The name of the list in the request.</param>
    /// <param name="places">The names of its members, where it is no list there.</param>
    public async ValueTask<NamedNode[]?> ParseAsync(
        HttpContext context, RequestMemory memory, IReadOnlyList<string?> texts, string place,
        string[]? places = null)
    {
        var (status, problem) = Parse(memory, texts, place, out var nodes, places);
        if (!status.IsBad)
            return nodes;
        await Problem.WriteAsync(context, status, problem).ConfigureAwait(false);
        return null;
    }

    public static (StatusCode Status, string? Problem) TooMany(string place, RestLimits limits) =>
        (StatusCodes.BadTooManyOperations, string.Create(
            CultureInfo.InvariantCulture, $"{place}: at most {limits.MaxHttpNodes} nodes (MaxHttpNodes)"));

    /// <summary>Bad with the problem in words.</summary>
    public (StatusCode Status, string? Problem) Parse(
        RequestMemory memory, IReadOnlyList<string?> texts, string place, out NamedNode[] nodes,
        string[]? places = null)
    {
        nodes = [];
        if (texts.Count == 0)
            return (StatusCodes.BadNothingToDo, $"{place}: {NodeNames.Expected}");
        if (texts.Count > limits.MaxHttpNodes)
            return TooMany(place, limits);
        if (!memory.TryHold((long)texts.Count * Unsafe.SizeOf<NamedNode>()))
            return (StatusCodes.BadOutOfMemory, null);
        nodes = new NamedNode[texts.Count];
        for (var i = 0; i < nodes.Length; i++)
        {
            if (!names.TryParse(texts[i] ?? "", out nodes[i]))
                return (StatusCodes.BadNodeIdInvalid, string.Create(
                    CultureInfo.InvariantCulture, $"{places?[i] ?? $"{place}[{i}]"}: {NodeNames.Expected}"));
            if (!memory.TryHold(nodes[i].ExtraBytes))
                return (StatusCodes.BadOutOfMemory, null);
        }

        return (StatusCode.Good, null);
    }
}
