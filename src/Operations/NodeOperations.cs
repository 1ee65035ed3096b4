using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Operations.Access;
using Gateway.Operations.Attributes;
using Gateway.Operations.Browsing;
using Gateway.Operations.Methods;
using Gateway.Operations.Searching;

namespace Gateway.Operations;

/// <summary>The operations behind the services, composed once for all protocols. Threads: any.</summary>
public sealed class NodeOperations
{
    public NodeOperations(NodeTable nodes, ValueStore values, OperationLimits limits, TimeProvider clock)
    {
        Access = new NodeAccess(nodes, new AccessPolicy(nodes));
        Types = new ValueTypeCheck(nodes);
        ReadPlanner = new ReadPlanner(nodes, Access);
        Reader = new NodeReader(ReadPlanner, values, Access, clock, limits);
        var ranges = new ValueRangeCheck(nodes, values);
        WritePlanner = new WritePlanner(nodes, Access, Types, ranges);
        Writer = new NodeWriter(Access);
        Browser = new NodeBrowser(nodes, Access, limits);
        Translator = new PathTranslator(nodes, Access, limits);
        Paths = new NodePaths(nodes, Access);
        Search = new NodeSearch(nodes, Access, Paths);
        Methods = new MethodResolver(nodes, values, Access);
        MethodCaller = new MethodCaller(Methods, new ArgumentCheck(nodes, Types, ranges), Access, limits);
    }

    public NodeAccess Access { get; }

    public ValueTypeCheck Types { get; }

    public ReadPlanner ReadPlanner { get; }

    public NodeReader Reader { get; }

    public WritePlanner WritePlanner { get; }

    public NodeWriter Writer { get; }

    public NodeBrowser Browser { get; }

    public PathTranslator Translator { get; }

    public NodePaths Paths { get; }

    public NodeSearch Search { get; }

    public MethodResolver Methods { get; }

    public MethodCaller MethodCaller { get; }
}
