namespace Gateway.Store.Files;

/// <summary>The files of one directory, which is locked until this is disposed. Errors: IOException and
/// UnauthorizedAccessException.</summary>
public interface IStoreFiles : IDisposable
{
    /// <summary>Names without their folder.</summary>
    IReadOnlyList<string> List();

    IStoreFile OpenToRead(string name);

    /// <summary>Made if it is missing.</summary>
    IStoreFile OpenToWrite(string name);

    void Delete(string name);

    /// <summary>Returns when the disk has the names of the files that were made and deleted.</summary>
    void SyncNames();
}
