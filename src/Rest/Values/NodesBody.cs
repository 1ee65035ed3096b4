using System.Globalization;
using System.Runtime.CompilerServices;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Access;
using Gateway.Rest.Nodes;

namespace Gateway.Rest.Values;

/// <summary>The body <c>{"nodes":[…]}</c>.</summary>
internal sealed class NodesBody(NodeNames names, RestLimits limits)
{
    private const string Place = "nodes";
    private const int FirstNodes = 16;

    private static readonly byte[][] Members = [[.. "nodes"u8]];

    /// <summary>Bad with the problem in words, which names the wrong id; one error rejects all of them.</summary>
    public (StatusCode Status, string? Problem) Read(
        RequestMemory memory, ReadOnlySpan<byte> body, out NamedNode[] nodes)
    {
        nodes = [];
        var count = -1;
        var (status, problem) = (StatusCode.Good, default(string));
        var reader = new UaJsonReader(body, meter: memory.Meter);
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextMember(Members, ref seen, out _))
        {
            (status, problem) = ReadNodes(ref reader, memory, ref nodes, out count);
            if (status.IsBad)
                return (status, problem);
        }

        if (!reader.Failed && count < 0)
            reader.Expected("a member nodes with an array of node ids");
        reader.End();
        if (reader.Failed)
            return (reader.Status, reader.Problem);
        if (count == 0)
            return (StatusCodes.BadNothingToDo, $"{Place}: {NodeNames.Expected}");
        Array.Resize(ref nodes, count);
        return (StatusCode.Good, null);
    }

    private (StatusCode Status, string? Problem) ReadNodes(
        ref UaJsonReader reader, RequestMemory memory, ref NamedNode[] nodes, out int count)
    {
        count = 0;
        var plain = names.PlainIds();
        for (reader.BeginArray(); reader.NextElement(); count++)
        {
            if (count == limits.MaxHttpNodes)
                return NodeList.TooMany(Place, limits);
            if (count == nodes.Length && !TryGrow(memory, ref nodes))
                return (StatusCodes.BadOutOfMemory, null);
            if (reader.TryGetPlainText(out var text) && text.Length <= NodeNames.MaxLength &&
                plain.TryRead(text, out var id) && !id.IsNull)
            {
                nodes[count] = new NamedNode("", id);
            }
            else
            {
                var other = reader.ReadString() ?? "";
                if (reader.Failed)
                    break;
                if (!names.TryParse(other, out nodes[count]))
                    return (StatusCodes.BadNodeIdInvalid, string.Create(
                        CultureInfo.InvariantCulture, $"{Place}[{count}]: {NodeNames.Expected}"));
            }

            if (nodes[count].ExtraBytes is > 0 and var bytes && !memory.TryHold(bytes))
                return (StatusCodes.BadOutOfMemory, null);
        }

        return (StatusCode.Good, null);
    }

    /// <summary>Twice as many; counted before they are made.</summary>
    private bool TryGrow(RequestMemory memory, ref NamedNode[] nodes)
    {
        var most = Math.Min(Math.Max(FirstNodes, 2 * nodes.Length), limits.MaxHttpNodes);
        if (!memory.TryHold((long)(most - nodes.Length) * Unsafe.SizeOf<NamedNode>()))
            return false;
        Array.Resize(ref nodes, most);
        return true;
    }
}
