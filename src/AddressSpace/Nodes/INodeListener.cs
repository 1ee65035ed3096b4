namespace Gateway.AddressSpace.Nodes;

/// <summary>Called with the changes of a batch, when it is in the table, on the thread of <see cref="NodeTable.Apply"/>
/// and under no lock of the table: the changes of two batches may come in either order, so only the table
/// counts.</summary>
public interface INodeListener
{
    void OnApplied(in NodeChanges changes);
}
