using System.CommandLine;
using System.Globalization;
using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios;

/// <summary>The writable Double variables of a run: a gateway started here gets a NodeSet of them; any other server has
/// to bring its own.</summary>
internal static class WriteTags
{
    public const string NamespaceUri = "urn:gateway:loadtest:writable";

    public static readonly Option<string> Format = new("--write-tag")
    {
        Description = "Node id of a writable Double variable; {0} is its number, from --first-write-tag.",
        DefaultValueFactory = _ => $"nsu={NamespaceUri};i={{0}}",
    };

    public static readonly Option<int> First = new("--first-write-tag")
    {
        Description = "Number of the first writable variable.",
        DefaultValueFactory = _ => 1,
    };

    /// <summary>Those from number 0 without a hole, at most <paramref name="wanted"/>.</summary>
    public static async Task<NodeId[]> FindAsync(RunContext context, ClientSession session, int wanted)
    {
        var count = await NodeReader.CountTagsAsync(session, Tag, wanted, context.Cancellation);
        if (count == 0)
            throw new InvalidOperationException(
                $"the server has no variable {Tag(0)}: name writable Double variables with --write-tag");
        if (count < wanted)
            context.Report.Note($"the server has {count} of {wanted} writable variables");
        var nodes = new NodeId[count];
        for (var i = 0; i < count; i++)
            nodes[i] = Tag(i);
        return nodes;

        NodeId Tag(int number) => context.Sessions.Node(
            string.Format(CultureInfo.InvariantCulture, context.Get(Format), context.Get(First) + number),
            Format.Name);
    }

    /// <summary>A value that no earlier run has left there: the server's largest plus one.</summary>
    public static async Task<double> FirstValueAsync(
        ClientSession session, NodeId[] nodes, CancellationToken cancellation)
    {
        double first = 0;
        foreach (var value in await NodeReader.ReadAsync(session, nodes, cancellation))
        {
            if (double.IsFinite(value.Value.AsDouble()))
                first = Math.Max(first, value.Value.AsDouble());
        }

        return Math.Floor(first) + 1;
    }
}
