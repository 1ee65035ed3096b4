using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Publish.Items;

/// <summary>Sources with access rules whose events an item had in the process before. They are looked for when somebody
/// has to be checked: until then their upstream has the time to connect. Immutable.</summary>
/// <param name="Ids">Each with the URI of its namespace, and without its index.</param>
/// <param name="Find">None: it is not there.</param>
internal sealed record RestoredSources(
    IReadOnlyList<(string? Uri, NodeId Id)> Ids, Func<string?, NodeId, NodeHandle> Find)
{
    /// <summary>Of one that cannot be found nobody can say it.</summary>
    public bool MayKeep(IItemAccess access)
    {
        foreach (var (uri, id) in Ids)
        {
            if (Find(uri, id) is not { IsNone: false } node || access.CheckEvents(node).IsBad)
                return false;
        }

        return true;
    }

    public bool AreThere
    {
        get
        {
            foreach (var (uri, id) in Ids)
            {
                if (Find(uri, id).IsNone)
                    return false;
            }

            return true;
        }
    }
}
