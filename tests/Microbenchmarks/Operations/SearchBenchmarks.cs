using System.Globalization;
using BenchmarkDotNet.Attributes;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;
using Gateway.Operations.Access;
using Gateway.Operations.Browsing;
using Gateway.Operations.Searching;

namespace Gateway.Microbenchmarks.Operations;

/// <summary>Search over a large plant.</summary>
[MemoryDiagnoser]
[Table(97, "A search over 100,000 nodes",
    "The first page of 100 nodes, found by looking at the standard's nodes and at 100,000 tags in 1,000 machines of " +
    "100 lines; one thread, all turns of the request. *OneWord*: in a tenth of the names; *Path*: a line, a machine " +
    "and a tag; *Nothing*: a word that stands nowhere; *Type*: all nodes of a type, without a word.")]
public class SearchBenchmarks
{
    private const int Lines = 100;
    private const int MachinesPerLine = 10;
    private const int TagsPerMachine = 100;

    private static readonly NodeId Organizes = new(StandardIds.ReferenceTypes.Organizes);

    private readonly NodeTable _nodes = new();
    private NodeSearch? _search;
    private Caller _caller = null!;
    private ushort _namespace;

    [GlobalSetup]
    public void Setup()
    {
        StandardNodes.Load(_nodes, new ValueStore(TimeProvider.System));
        _namespace = _nodes.Namespaces.GetOrAdd("urn:benchmark:plant");
        var batch = new NodeBatch();
        for (var line = 0; line < Lines; line++)
            AddLine(batch, line);
        _nodes.Apply(batch);
        var access = new NodeAccess(_nodes, new AccessPolicy(_nodes));
        _search = new NodeSearch(_nodes, access, new NodePaths(_nodes, access));
        _caller = new Caller(
            new UserIdentity("anna", "anna", Roles.Observer, UserKind.UserName), CallerDoor.Inside,
            MessageSecurityMode.SignAndEncrypt, isTrustedApplication: true, hasSession: false);
        // An operation is longer than the warm-up of the tables: the runtime would still compile while it is measured.
        for (var i = 0; i < 40; i++)
            Path();
    }

    [Benchmark]
    public int OneWord() => Find("temperature", 100);

    [Benchmark]
    public int Path() => Find("line42/machine7 pressure", 10);

    [Benchmark]
    public int Nothing() => Find("zeppelin", 0);

    [Benchmark]
    public int Type() => Find("", 100, StandardIds.VariableTypes.BaseDataVariableType);

    private int Find(string text, int expected, uint type = 0)
    {
        var query = new NodeQuery { Text = text, Limit = 100, Type = type == 0 ? default : new NodeId(type) };
        var search = _search!.SearchAsync(new UnboundedTurn(_caller), query, CancellationToken.None);
        var found = search.IsCompleted ? search.GetAwaiter().GetResult().Nodes.Length : -1;
        return found == expected
            ? found
            : throw new InvalidOperationException($"{found} nodes instead of {expected} for '{text}'.");
    }

    private void AddLine(NodeBatch batch, int line)
    {
        var lineId = Text($"L{line}");
        batch.AddObject(Id(lineId), Name(Text($"Line{line}")), new NodeId(StandardIds.Objects.ObjectsFolder));
        for (var machine = 0; machine < MachinesPerLine; machine++)
        {
            var machineId = Text($"{lineId}.M{machine}");
            batch.AddObject(Id(machineId), Name(Text($"Machine{machine}")), Id(lineId), default, Organizes);
            for (var tag = 0; tag < TagsPerMachine; tag++)
                batch.AddVariable(
                    Id(Text($"{machineId}.T{tag}")),
                    Name(Text($"{(tag % 10 == 0 ? "Temperature" : tag % 10 == 1 ? "Pressure" : "Counter")}{tag}")),
                    new VariableFacts(new NodeId(StandardIds.DataTypes.Double)), null, Id(machineId));
        }
    }

    private NodeId Id(string id) => new(id, _namespace);

    private QualifiedName Name(string name) => new(name, _namespace);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
