namespace Gateway.AddressSpace.Nodes;

/// <summary>Told what a batch has changed, when it is in the table, on the thread of <see cref="NodeTable.Apply"/> and
/// under no lock of the table: what two batches changed may be told in either order, so the table is what
/// counts.</summary>
public interface INodeListener
{
    void OnApplied(in NodeChanges changes);
}
