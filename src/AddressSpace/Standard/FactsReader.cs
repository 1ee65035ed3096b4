using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Standard;

/// <summary>
/// Reads the table: a line a node, sorted by id, all ids numeric in namespace 0, columns with a tab between.
/// <code>
/// id class BrowseName facts references definition value
/// </code>
/// class: O Object, V Variable, M Method, T ObjectType, A VariableType, R ReferenceType, D DataType, W View.
/// facts: each a letter and its text, a space between: a abstract, y symmetric, x not executable, e EventNotifier,
/// c AccessRestrictions, p role:permissions,…, n DisplayName, i InverseName, t DataType, k ValueRank,
/// d ArrayDimensions, l AccessLevelEx, m MinimumSamplingInterval. references: forward ones, <c>type&gt;target</c>, the
/// type left out where it is the one before. definition and value: see <see cref="DefinitionFacts"/> and
/// <see cref="ValueFacts"/>. Empty columns at the end are left out; a line that starts with # is a comment.
/// </summary>
internal sealed class FactsReader(INodeSource source, NodeBatch batch, List<(uint Id, Variant Value)> constants)
{
    private readonly Dictionary<string, RolePermissionType[]> _permissions = new(StringComparer.Ordinal);

    public void ReadLine(string line)
    {
        if (line.Length == 0 || line[0] == '#')
            return;
        var scanner = new FactsScanner(line);
        var id = scanner.TakeId();
        scanner.Take('\t');
        var nodeClass = ClassOf(scanner.TakeAny());
        scanner.Take('\t');
        var name = scanner.TakeUntil("\t").ToString();
        var definition = new NodeDefinition
        {
            NodeId = new NodeId(id),
            NodeClass = nodeClass,
            BrowseName = new QualifiedName(name),
            Source = source,
        };
        scanner.TryTake('\t');
        definition = ReadFacts(ref scanner, definition);
        scanner.TryTake('\t');
        ReadReferences(ref scanner, id);
        scanner.TryTake('\t');
        if (scanner.Peek is not ('\t' or '\0'))
            definition = definition with { DataTypeDefinition = DefinitionFacts.Read(ref scanner) };
        scanner.TryTake('\t');
        if (!scanner.AtEnd)
            constants.Add((id, ValueFacts.Read(ref scanner)));
        batch.AddNode(definition);
    }

    private static NodeClass ClassOf(char letter) => letter switch
    {
        'O' => NodeClass.Object,
        'V' => NodeClass.Variable,
        'M' => NodeClass.Method,
        'T' => NodeClass.ObjectType,
        'A' => NodeClass.VariableType,
        'R' => NodeClass.ReferenceType,
        'D' => NodeClass.DataType,
        'W' => NodeClass.View,
        _ => throw new FormatException($"'{letter}' is no class of nodes"),
    };

    private NodeDefinition ReadFacts(ref FactsScanner scanner, NodeDefinition node)
    {
        var variable = new VariableFacts(new NodeId(StandardIds.DataTypes.BaseDataType));
        while (scanner.Peek is not ('\t' or '\0'))
        {
            var letter = scanner.TakeAny();
            switch (letter)
            {
                case 'a': node = node with { IsAbstract = true }; break;
                case 'y': node = node with { Symmetric = true }; break;
                case 'x': node = node with { Executable = false }; break;
                // Of the standard's Objects only the Server is a notifier.
                case 'e':
                    node = node with
                    {
                        EventNotifier = (EventNotifierType)scanner.TakeNumber(),
                        HasOwnEvents = true,
                    };
                    break;
                case 'c': node = node with { AccessRestrictions = (AccessRestrictionType)scanner.TakeNumber() }; break;
                case 'p': node = node with { RolePermissions = ReadPermissions(ref scanner) }; break;
                case 'n': node = node with { DisplayName = new LocalizedText(scanner.TakeText()) }; break;
                case 'i': node = node with { InverseName = new LocalizedText(scanner.TakeText()) }; break;
                case 't': variable = variable with { DataType = new NodeId(scanner.TakeId()) }; break;
                case 'k': variable = variable with { ValueRank = (int)scanner.TakeNumber() }; break;
                case 'd': variable = variable with { ArrayDimensions = scanner.TakeNumbers() }; break;
                case 'l': variable = variable with { AccessLevel = (AccessLevelExType)scanner.TakeNumber() }; break;
                case 'm': variable = variable with { MinimumSamplingInterval = scanner.TakeNumber() }; break;
                default: throw new FormatException($"'{letter}' is no fact");
            }

            scanner.TryTake(' ');
        }

        return node.NodeClass is NodeClass.Variable or NodeClass.VariableType
            ? node with { Variable = variable }
            : node;
    }

    private RolePermissionType[] ReadPermissions(ref FactsScanner scanner)
    {
        var text = scanner.TakeUntil(" \t").ToString();
        if (_permissions.TryGetValue(text, out var known))
            return known;
        var inner = new FactsScanner(text);
        var permissions = new List<RolePermissionType>();
        do
        {
            var role = inner.TakeId();
            inner.Take(':');
            permissions.Add(new RolePermissionType
            {
                RoleId = new NodeId(role),
                Permissions = (PermissionType)inner.TakeNumber(),
            });
        }
        while (inner.TryTake(','));
        return _permissions[text] = [.. permissions];
    }

    private void ReadReferences(ref FactsScanner scanner, uint source)
    {
        var type = 0u;
        while (scanner.Peek is not ('\t' or '\0'))
        {
            var number = scanner.TakeId();
            if (scanner.TryTake('>'))
            {
                type = number;
                number = scanner.TakeId();
            }

            batch.AddReference(new NodeId(source), new NodeId(type), new NodeId(number));
            scanner.TryTake(' ');
        }
    }
}
