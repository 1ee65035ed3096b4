using Gateway.Transport.Certificates;

namespace Gateway.Host.Hosting;

/// <summary>Tells whether another gateway runs on the same PKI folder: both would show one certificate and so one
/// ApplicationUri. Not a reason to stop: a successor may start while its predecessor still ends. Held for the process's
/// life by an open file; the system lets go of it whatever happens to the process.</summary>
internal sealed class PkiLock : IDisposable
{
    private const string FileName = ".in-use";

    /// <summary>EWOULDBLOCK, and Windows' sharing violation.</summary>
    private const int UnixSharingViolation = 11;
    private const int WindowsSharingViolation = unchecked((int)0x80070020);

    private readonly FileStream? _file;

    public PkiLock(PkiStore pki)
    {
        try
        {
            _file = new FileStream(
                Path.Combine(pki.Root, FileName), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException error)
        {
            IsShared = error.HResult is UnixSharingViolation or WindowsSharingViolation;
        }
        catch (UnauthorizedAccessException)
        {
            // A read-only folder: whether another gateway uses it is unknown.
        }
    }

    public bool IsShared { get; }

    public void Dispose() => _file?.Dispose();
}
